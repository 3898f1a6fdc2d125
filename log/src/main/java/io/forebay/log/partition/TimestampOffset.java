package io.forebay.log.partition;

/**
 * A record found by its timestamp.
 *
 * @param timestampMs of the record; −1 if none was found
 * @param offset of the record; −1 if none was found
 */
public record TimestampOffset(long timestampMs, long offset) {
    public static final TimestampOffset NONE = new TimestampOffset(-1, -1);
}
