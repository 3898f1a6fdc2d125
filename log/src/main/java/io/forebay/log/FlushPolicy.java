package io.forebay.log;

import io.forebay.log.shard.ShardConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which shards to flush next, most pressing first. Pure.
 *
 * <p>Small batches are rewritten soon, so that they can be read many at a time. Large ones are read from a journal file as well as from a segment:
 * they stay where they are until there are too many of them or the journal has grown too large, also when the session that
 * wrote them has ended: a start rewrites nothing. What past sessions have left of small batches is moved when there is nothing
 * else to do.
 */
final class FlushPolicy {

    /** From this average size of a batch on, rewriting does not pay for reading. */
    private static final long LARGE_BATCH_BYTES = 16 << 10;
    /** Frames of all shards together that may be in memory, as a multiple of one shard's. */
    private static final long NODE_FRAMES_FACTOR = 16;
    /** Journals of past sessions that a shard of large batches may need: each of them holds up to {@code journal.unretired.bytes}. */
    private static final int MOST_PAST = 4;

    private final ShardConfig config;

    FlushPolicy(ShardConfig config) {
        this.config = config;
    }

    /**
     * A shard that could be flushed.
     *
     * @param index whatever the caller calls it by
     * @param pinsOldest whether it needs the oldest file of a journal that has grown too large
     * @param past number of journals of ended sessions that it needs
     */
    record Candidate(int index, long bytes, int frames, boolean pinsOldest, int past) {

        private boolean large() {
            return frames > 0 && bytes / frames >= LARGE_BATCH_BYTES;
        }
    }

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
                    .filter(one -> one.past() > (one.large() ? MOST_PAST : 0))
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
        return one.pinsOldest()
                || one.frames() >= config.flushFrames()
                || (one.bytes() >= config.flushBytes() && !one.large());
    }
}
