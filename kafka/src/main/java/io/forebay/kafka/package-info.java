/** The kafka room. */
@NullMarked
package io.forebay.kafka;

import org.jspecify.annotations.NullMarked;
