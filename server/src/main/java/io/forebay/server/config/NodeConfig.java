package io.forebay.server.config;

/** Who this node is. */
public record NodeConfig(int id, String clusterName) {}
