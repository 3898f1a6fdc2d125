package io.forebay.cluster.member;

import io.forebay.cluster.control.ControlConfig;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.cluster.root.TermClaim;
import java.util.random.RandomGenerator;

/**
 * When a term's leader counts as gone, so that a candidate may claim the next term. A pure question of time: claims are safe at any moment, and cost a change
 * of leader.
 */
final class LeaderSearch {

    private final ControlConfig config;
    private final RandomGenerator random;
    private long term = -1;
    private long unheardSinceNanos;
    private long patienceNanos;
    private boolean refused;

    LeaderSearch(ControlConfig config, RandomGenerator random) {
        this.config = config;
        this.random = random;
    }

    /** A question goes to this term's leader. */
    void asks(TermClaim claim, long nowNanos) {
        if (claim.term() != term) {
            term = claim.term();
            answered(nowNanos);
        }
    }

    /** It answered, whatever. */
    void answered(long nowNanos) {
        unheardSinceNanos = nowNanos;
        refused = true;
        // Not all candidates at once.
        long timeoutNanos = config.sessionTimeoutMs() * 1_000_000;
        patienceNanos = timeoutNanos + random.nextLong(timeoutNanos / 2 + 1);
    }

    /**
     * It did not answer. A refusal comes at once; a connection that could not be made in time may be an overloaded machine's.
     *
     * @param afterNanos since the question
     */
    void unanswered(Throwable why, long afterNanos) {
        boolean atOnce = afterNanos < config.answerMs() * 1_000_000 / 2;
        refused &= atOnce && why instanceof UnansweredException one && !one.mayHaveArrived();
    }

    /** Whether somebody else should lead. A process whose port refuses every question is gone, which takes less time to believe. */
    boolean isGone(long nowNanos) {
        long silentNanos = nowNanos - unheardSinceNanos;
        return silentNanos > (refused ? patienceNanos / 3 : patienceNanos);
    }
}
