package io.forebay.log;

import io.forebay.log.shard.ShardConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which shards to flush next, most pressing first. Pure.
 *
 * <p>Large batches are read from a journal file as well as from a segment, so a shard of them is flushed only when much has
 * gathered or when it keeps the journal's oldest file from going; small ones are rewritten soon. What sessions of the past have left is
 * moved when there is nothing else to do.
 */
final class FlushPolicy {

    /** From this average size of a batch on, rewriting does not pay for reading. */
    private static final long LARGE_BATCH_BYTES = 16 << 10;
    /** Shards of large batches are flushed at this multiple of {@code shard.flush.bytes}. */
    private static final long LARGE_BATCH_FACTOR = 16;
    /** Frames of all shards together that may be in memory, as a multiple of one shard's. */
    private static final long NODE_FRAMES_FACTOR = 16;

    private final ShardConfig config;

    FlushPolicy(ShardConfig config) {
        this.config = config;
    }

    /**
     * A shard that could be flushed.
     *
     * @param index whatever the caller calls it by
     * @param pinsOldest whether it needs the oldest file of a journal that has grown too large
     * @param pinsPast whether it needs files of sessions that have ended
     */
    record Candidate(int index, long bytes, int frames, boolean pinsOldest, boolean pinsPast) {}

    /** The indexes of those to flush, at most {@code limit}. */
    List<Integer> choose(List<Candidate> candidates, int limit) {
        long nodeFrames = candidates.stream().mapToLong(Candidate::frames).sum();
        boolean tooManyFrames = nodeFrames > config.flushFrames() * NODE_FRAMES_FACTOR;
        List<Candidate> due = new ArrayList<>();
        for (Candidate one : candidates) {
            if (due(one) || (tooManyFrames && one.frames() > config.flushFrames() / NODE_FRAMES_FACTOR)) {
                due.add(one);
            }
        }
        if (due.isEmpty()) {
            return candidates.stream()
                    .filter(Candidate::pinsPast)
                    .limit(1)
                    .map(Candidate::index)
                    .toList();
        }
        due.sort(Comparator.comparing(Candidate::pinsOldest)
                .thenComparingLong(Candidate::bytes)
                .reversed());
        return due.stream().limit(limit).map(Candidate::index).toList();
    }

    private boolean due(Candidate one) {
        boolean large = one.frames() > 0 && one.bytes() / one.frames() >= LARGE_BATCH_BYTES;
        long limit = large ? config.flushBytes() * LARGE_BATCH_FACTOR : config.flushBytes();
        return one.pinsOldest() || one.bytes() >= limit || one.frames() >= config.flushFrames();
    }
}
