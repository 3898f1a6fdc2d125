package io.forebay.cluster.image;

/**
 * One registered node.
 *
 * @param session its current session
 * @param host what clients connect to
 * @param rack empty if it has none
 * @param drained whether its operator wants it to keep no shards
 */
public record NodeImage(int nodeId, long session, String host, int port, String rack, boolean drained) {}
