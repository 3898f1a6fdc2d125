package io.forebay.broker.partition;

/**
 * The settings of one topic that its partitions act on, already resolved (topic, then broker, then default).
 *
 * @param maxMessageBytes largest batch accepted ({@code max.message.bytes})
 * @param compression what batches are stored as ({@code compression.type})
 * @param logAppendTime whether the log stamps its own time ({@code message.timestamp.type})
 * @param beforeMaxMs how far a timestamp may lie in the past ({@code message.timestamp.before.max.ms})
 * @param afterMaxMs how far a timestamp may lie in the future ({@code message.timestamp.after.max.ms})
 * @param delete whether retention applies ({@code cleanup.policy} contains delete)
 * @param compact whether records need keys ({@code cleanup.policy} contains compact)
 * @param retentionMs −1: unlimited
 * @param retentionBytes −1: unlimited
 */
public record TopicConfig(
        int maxMessageBytes,
        StoredCompression compression,
        boolean logAppendTime,
        long beforeMaxMs,
        long afterMaxMs,
        boolean delete,
        boolean compact,
        long retentionMs,
        long retentionBytes) {

    /** What {@code compression.type} asks for. Codes are those of the batch attributes. */
    public enum StoredCompression {
        /** Keep what the producer chose. */
        PRODUCER(-1),
        UNCOMPRESSED(0),
        GZIP(1),
        SNAPPY(2),
        LZ4(3),
        ZSTD(4);

        private final int code;

        StoredCompression(int code) {
            this.code = code;
        }

        /** Whether a batch with this compression code is stored as it is. */
        public boolean keeps(int batchCode) {
            return this == PRODUCER || code == batchCode;
        }

        public static StoredCompression of(String name) {
            return switch (name) {
                case "producer" -> PRODUCER;
                case "uncompressed", "none" -> UNCOMPRESSED;
                case "gzip" -> GZIP;
                case "snappy" -> SNAPPY;
                case "lz4" -> LZ4;
                case "zstd" -> ZSTD;
                default -> throw new IllegalArgumentException("no such compression type: " + name);
            };
        }
    }
}
