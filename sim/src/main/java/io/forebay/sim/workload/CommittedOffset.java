package io.forebay.sim.workload;

import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * What a group was promised about its offset in one partition. Offsets only grow, so of two promises the larger one counts.
 *
 * <p>A promise is an acknowledged commit, or an offset that was shown: both are durable. It binds its own epoch and later ones. An
 * earlier epoch that is over and does not know it yet may still answer from its past; what it promised itself it must show even then.
 */
final class CommittedOffset {

    private static final long NONE = -1;

    private final String what;
    private final Set<Long> everSent = new HashSet<>();
    private final NavigableMap<Integer, Long> promised = new TreeMap<>();
    private long sent = NONE;
    private long acknowledged = NONE;

    /** Nothing was committed yet; {@code what} names it in failures. */
    CommittedOffset(String what) {
        this.what = what;
    }

    /** The largest offset that was sent; −1: none. */
    long sent() {
        return sent;
    }

    /** A larger one to send. */
    long next(RandomGenerator random) {
        sent += 1 + random.nextInt(10);
        everSent.add(sent);
        return sent;
    }

    boolean settled() {
        return acknowledged == sent;
    }

    void acknowledged(long offset, int epoch) {
        acknowledged = Math.max(acknowledged, offset);
        promised.merge(epoch, offset, Math::max);
    }

    /** What is promised now, by epoch. */
    NavigableMap<Integer, Long> promises() {
        return new TreeMap<>(promised);
    }

    /** What goes with an offset. */
    static String metadata(long offset) {
        return "commit of " + offset;
    }

    /**
     * Checks an offset that a coordinator has shown.
     *
     * @param before {@link #promises} when it was asked
     * @param epoch of the coordinator
     */
    void shown(long offset, String metadata, NavigableMap<Integer, Long> before, int epoch) {
        long floor = before.headMap(epoch, true).values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(NONE);
        if (offset < floor) {
            throw new AssertionError(what + ": epoch " + epoch + " shows " + offset + ", but " + floor
                    + " was promised before: " + before);
        }
        if (offset == NONE) {
            return;
        }
        if (!everSent.contains(offset) || !metadata.equals(metadata(offset))) {
            throw new AssertionError(what + ": epoch " + epoch + " shows " + offset + " with '" + metadata
                    + "', which nobody has sent; the last sent is " + sent);
        }
        promised.merge(epoch, offset, Math::max);
    }

    /** Checks what is there when every commit was answered. */
    void last(long offset) {
        if (offset != sent) {
            throw new AssertionError(what + " is " + offset + ", but " + sent + " was acknowledged");
        }
    }
}
