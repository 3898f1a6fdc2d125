package io.forebay.server.config;

/**
 * How many threads there are of each kind; all numbers are at least 1.
 *
 * @param net event loops for sockets
 * @param shard loops that own shards
 * @param io readers of the store
 */
public record ThreadConfig(int net, int shard, int io) {}
