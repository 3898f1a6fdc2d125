package io.forebay.cluster.root;

import io.forebay.log.journal.Maker;

/**
 * Who claimed a term.
 *
 * @param nodeId of the claimant
 * @param process random id of the claimant's process
 * @param address its control port, host:port; empty if it has none
 */
public record TermClaim(long term, int nodeId, Maker process, String address) {}
