package io.forebay.log.partition;

/**
 * Where the largest leader epoch at or below the one asked for ends.
 *
 * @param epoch −1 if there is none
 * @param endOffset one more than its last offset; −1 if there is none
 */
public record EpochEnd(long epoch, long endOffset) {
    public static final EpochEnd NONE = new EpochEnd(-1, -1);
}
