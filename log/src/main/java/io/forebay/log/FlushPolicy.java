package io.forebay.log;

import io.forebay.log.partition.PartitionLog;
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
 * else to do. What is moved for the journal's sake is only what lies in the way.
 */
final class FlushPolicy {

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
     * @param pins whether it needs a file that is to go because the journal has grown too large
     * @param past number of journals of ended sessions that it needs
     */
    record Candidate(int index, long bytes, int frames, boolean pins, int past) {

        private boolean large() {
            return frames > 0 && bytes / frames >= PartitionLog.LARGE_BATCH_BYTES;
        }
    }

    /** How much of a shard to flush. */
    enum Reach {
        ALL,
        /** What lies in files that are to go, and in journals of the past. */
        PINNED,
        /** What lies in journals of the past. */
        PAST
    }

    record Choice(int index, Reach reach) {}

    /** Those to flush, at most {@code limit}. */
    List<Choice> choose(List<Candidate> candidates, int limit) {
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
                    .map(one -> new Choice(one.index(), Reach.PAST))
                    .toList();
        }
        due.sort(Comparator.comparing(Candidate::pins)
                .thenComparingLong(Candidate::bytes)
                .reversed());
        return due.stream().limit(limit).map(this::choice).toList();
    }

    private Choice choice(Candidate one) {
        return new Choice(one.index(), one.pins() && !enough(one) ? Reach.PINNED : Reach.ALL);
    }

    private boolean due(Candidate one) {
        return one.pins() || enough(one);
    }

    private boolean enough(Candidate one) {
        return one.frames() >= config.flushFrames() || (one.bytes() >= config.flushBytes() && !one.large());
    }
}
