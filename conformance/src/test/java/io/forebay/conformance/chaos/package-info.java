/**
 * Load on a cluster while things break, and the proof that nothing was lost. Start with {@link io.forebay.conformance.chaos.ChaosRun};
 * {@code bin/chaos} runs it for longer than the tests do.
 */
@NullMarked
package io.forebay.conformance.chaos;

import org.jspecify.annotations.NullMarked;
