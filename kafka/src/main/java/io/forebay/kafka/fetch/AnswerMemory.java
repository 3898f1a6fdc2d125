package io.forebay.kafka.fetch;

import io.forebay.kafka.api.ClientConnection;
import io.forebay.model.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that answers to fetches hold until they have left, over all connections: pages of the cache, and copies of small batches. What
 * lies in a file holds none. Thread-safe.
 *
 * <p>One answer may hold a quarter of what is left, so clients that ask and do not read use it up ever more slowly, and at least
 * {@link #SMALLEST_BYTES}, so that everybody gets on. While more than half is held, clients that have not taken an answer for {@link
 * #LONGEST_HOLD_MS} lose their connection: what they hold is what others wait for.
 */
public final class AnswerMemory {

    static final int SMALLEST_BYTES = 64 << 10;
    static final long LONGEST_HOLD_MS = 10_000;
    private static final long LOOK_EVERY_MS = 1_000;

    private final long limitBytes;
    private final Clock clock;
    private final AtomicLong heldBytes = new AtomicLong();
    private final Set<Held> all = ConcurrentHashMap.newKeySet();
    private final AtomicLong nextLookMs = new AtomicLong();

    public AnswerMemory(long limitBytes, Clock clock) {
        this.limitBytes = limitBytes;
        this.clock = clock;
    }

    /** What one answer holds. */
    static final class Held {
        private final long bytes;
        private final long sinceMs;
        private final ClientConnection client;

        Held(long bytes, long sinceMs, ClientConnection client) {
            this.bytes = bytes;
            this.sinceMs = sinceMs;
            this.client = client;
        }
    }

    /** How many bytes the next answer may have. */
    int share() {
        long held = heldBytes.get();
        if (held > limitBytes / 2) {
            dropStalled();
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(SMALLEST_BYTES, (limitBytes - held) / 4));
    }

    Held hold(long bytes, ClientConnection client) {
        Held held = new Held(bytes, nowMs(), client);
        long unused = heldBytes.addAndGet(bytes);
        all.add(held);
        return held;
    }

    /** The answer has left, or never will. Once. */
    void letGo(Held held) {
        all.remove(held);
        long unused = heldBytes.addAndGet(-held.bytes);
    }

    long heldBytes() {
        return heldBytes.get();
    }

    private void dropStalled() {
        long now = nowMs();
        long next = nextLookMs.get();
        if (now < next || !nextLookMs.compareAndSet(next, now + LOOK_EVERY_MS)) {
            return;
        }
        for (Held held : all) {
            if (now - held.sinceMs > LONGEST_HOLD_MS) {
                held.client.drop("it has not taken an answer of " + held.bytes + " bytes for " + (now - held.sinceMs)
                        + " ms, and others wait for the memory");
            }
        }
    }

    private long nowMs() {
        return clock.nanos() / 1_000_000;
    }
}
