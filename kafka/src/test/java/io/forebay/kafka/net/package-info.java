/** Tests of this package. */
@NullMarked
package io.forebay.kafka.net;

import org.jspecify.annotations.NullMarked;
