package io.forebay.store;

/**
 * The volume that a store lies on, other things' files included.
 *
 * @param totalBytes its size
 * @param usableBytes what this process may still write
 */
public record StoreSpace(long totalBytes, long usableBytes) {
    public StoreSpace {
        if (totalBytes < 0 || usableBytes < 0) {
            throw new IllegalArgumentException("a volume of " + totalBytes + " bytes, " + usableBytes + " usable");
        }
    }
}
