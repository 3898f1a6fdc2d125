/** Tests of this package. */
@NullMarked
package io.forebay.kafka;

import org.jspecify.annotations.NullMarked;
