/** The broker room. */
@NullMarked
package io.forebay.broker;

import org.jspecify.annotations.NullMarked;
