/** The model room. */
@NullMarked
package io.forebay.model;

import org.jspecify.annotations.NullMarked;
