package io.forebay.cluster.member;

import io.forebay.model.ShardId;
import java.util.Map;

/**
 * What a session does with its shards.
 *
 * @param open epochs of the shards that it has open
 * @param released epochs of the shards that it has given up: it never opens them under these again
 * @param loads weighted bytes each second of open shards
 * @param proofAgeMs since the store proved last that the session goes on, in ms; {@link #NEVER} if it never has
 */
public record ShardReport(
        Map<ShardId, Long> open, Map<ShardId, Long> released, Map<ShardId, Long> loads, long proofAgeMs) {

    /** The age of a proof that there never was. */
    public static final long NEVER = -1;

    /** Of a session that has nothing. */
    public static final ShardReport NONE = new ShardReport(Map.of(), Map.of(), Map.of(), NEVER);

    public ShardReport {
        open = Map.copyOf(open);
        released = Map.copyOf(released);
        loads = Map.copyOf(loads);
    }
}
