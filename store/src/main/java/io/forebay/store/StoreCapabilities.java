package io.forebay.store;

/**
 * What a back end can do.
 *
 * @param append whether {@link Store#createAppender} works; without it every journal flush is an object of its own
 * @param maxObjectBytes the largest object it takes
 */
public record StoreCapabilities(boolean append, long maxObjectBytes) {}
