package io.forebay.broker.session;

import io.forebay.cluster.member.ControllerContact;
import java.util.Optional;

/**
 * How a node is, as it sees itself.
 *
 * @param session that serves; −1: none at the moment
 * @param proofAgeMs since the store proved last that the session goes on, in ms; −1: it never has
 * @param proofHoldsMs nothing is served once the proof is older, in ms
 * @param version of the image
 * @param controller empty: none ever answered
 * @param ownedShards by the image
 * @param openShards a shard without partitions is never opened
 */
public record NodeHealth(
        long session,
        long proofAgeMs,
        long proofHoldsMs,
        long version,
        Optional<ControllerContact> controller,
        int ownedShards,
        int openShards) {}
