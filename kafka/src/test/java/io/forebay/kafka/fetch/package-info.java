/** Tests of this package. */
@NullMarked
package io.forebay.kafka.fetch;

import org.jspecify.annotations.NullMarked;
