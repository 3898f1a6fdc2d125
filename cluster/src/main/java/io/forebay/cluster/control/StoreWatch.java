package io.forebay.cluster.control;

import java.util.Collection;

/**
 * Who has lost the store while others have it. A member that cannot reach the store serves nothing, however well it can be talked to, so its shards should go to those
 * that can; while nobody can, nothing would be better elsewhere. Pure; times in ns.
 */
final class StoreWatch {

    private final long timeoutNanos;
    /** Since when somebody has always had it. */
    private long sharedSinceNanos;

    StoreWatch(long timeoutNanos, long nowNanos) {
        this.timeoutNanos = timeoutNanos;
        this.sharedSinceNanos = nowNanos;
    }

    /** Looks at what all members say. */
    void look(Collection<Attendance> members, long nowNanos) {
        if (members.stream().noneMatch(member -> hasStore(member, nowNanos))) {
            sharedSinceNanos = nowNanos;
        }
    }

    /** Whether what the member said lately means that it can serve. */
    boolean hasStore(Attendance member, long nowNanos) {
        return member.proven()
                && member.unprovenNanos(nowNanos) < timeoutNanos
                && member.silentNanos(nowNanos) < timeoutNanos;
    }

    /**
     * Whether somebody has lost the store, and others have not: its proof has not held for a whole time-out, and in that time somebody else's always has.
     *
     * @param unprovenNanos age of its last proof
     */
    boolean isLost(long unprovenNanos, long nowNanos) {
        return unprovenNanos > 2 * timeoutNanos && nowNanos - sharedSinceNanos > timeoutNanos;
    }
}
