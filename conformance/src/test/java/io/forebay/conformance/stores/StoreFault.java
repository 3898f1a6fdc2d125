package io.forebay.conformance.stores;

/**
 * Something that goes wrong with a store and is mended again. Used by one thread.
 *
 * @param name for the log
 * @param longestMs how long it may last at most
 * @param begin breaks it
 * @param end mends it, returning when the store can be used again
 */
public record StoreFault(String name, long longestMs, Runnable begin, Runnable end) {}
