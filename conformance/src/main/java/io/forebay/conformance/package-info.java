/** The conformance room. */
@NullMarked
package io.forebay.conformance;

import org.jspecify.annotations.NullMarked;
