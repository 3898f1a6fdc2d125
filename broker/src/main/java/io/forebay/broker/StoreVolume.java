package io.forebay.broker;

/**
 * The volume that the shared store lies on.
 *
 * @param totalBytes its size; −1: not known
 * @param usableBytes what may still be written; −1: not known
 */
public record StoreVolume(long totalBytes, long usableBytes) {

    /** A store without such a thing, or one that did not tell. */
    public static final StoreVolume UNKNOWN = new StoreVolume(-1, -1);
}
