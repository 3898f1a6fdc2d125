package io.forebay.model;

/** Tells which bytes of a file the system holds in memory. Thread-safe, never waits for a disk. */
@FunctionalInterface
public interface FileMemory {

    /**
     * Whether all these bytes can be sent without waiting for a disk. False if that cannot be told; what is true now need not stay so.
     *
     * @param position of the first byte
     * @param length in bytes
     */
    boolean holds(long position, int length);
}
