/** Kafka's own command line tools and the commands of {@code bin/forebay}, judged by output and exit code. */
@NullMarked
package io.forebay.conformance.tools;

import org.jspecify.annotations.NullMarked;
