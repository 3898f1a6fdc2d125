package io.forebay.server.config;

/**
 * What a topic gets when it does not say otherwise; values that Kafka spells out keep Kafka's spelling.
 *
 * @param retentionMs -1 for ever
 * @param retentionBytes -1 without limit
 * @param cleanupPolicy {@code delete}, {@code compact} or {@code compact,delete}
 * @param compressionType {@code producer}, {@code uncompressed} or a codec's name
 * @param timestampType {@code CreateTime} or {@code LogAppendTime}
 * @param producerIdExpirationMs idle time after which a producer's sequence state may go
 */
public record TopicConfig(
        boolean autoCreate,
        int partitions,
        long retentionMs,
        long retentionBytes,
        String cleanupPolicy,
        int messageMaxBytes,
        String compressionType,
        String timestampType,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs,
        int producerIdExpirationMs) {}
