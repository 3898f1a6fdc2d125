package io.forebay.broker.session;

/**
 * How partitions are looked after.
 *
 * @param everyMs time between two looks for records and producers to let go ({@code log.retention.check.interval.ms})
 * @param producerExpirationMs silence after which an idempotent producer is forgotten ({@code producer.id.expiration.ms})
 */
public record TendConfig(long everyMs, long producerExpirationMs) {}
