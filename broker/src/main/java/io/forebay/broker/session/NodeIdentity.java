package io.forebay.broker.session;

/**
 * Who this node is to the cluster and to clients.
 *
 * @param host what clients connect to
 * @param rack empty if it has none
 * @param lanes of its journals
 */
public record NodeIdentity(int nodeId, String host, int port, String rack, int lanes) {}
