package io.forebay.cluster.image;

import io.forebay.log.journal.Maker;

/**
 * One session that was registered and is not known to be fenced.
 *
 * @param incarnation of the process that registered it
 * @param lanes of its journal
 */
public record SessionImage(long session, int nodeId, Maker incarnation, int lanes) {}
