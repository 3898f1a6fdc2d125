package io.forebay.bench.report;

import java.util.Optional;

/**
 * What is known of one metric of one target.
 *
 * @param values its figures, if there are any
 * @param ratio its figures over Kafka's of the same rounds, if there are any
 * @param verdict what became of its bar
 */
public record Finding(Optional<Spread> values, Optional<Spread> ratio, Verdict verdict) {}
