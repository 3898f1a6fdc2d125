/** Tests of this package. */
@NullMarked
package io.forebay.kafka.produce;

import org.jspecify.annotations.NullMarked;
