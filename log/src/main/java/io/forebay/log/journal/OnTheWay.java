package io.forebay.log.journal;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends that were announced and have not come yet. A request whose batches lie on several shard loops reaches the journal in parts, moments apart: a journal
 * that flushes the first part at once makes the others wait for a second flush. So before it gathers it waits for what was
 * announced by then, never for what is announced later.
 *
 * <p>Only counts, so somebody else's arrival may stand for one that is waited for: then a part comes late, as if nobody had announced it. Any thread, but for
 * {@link #await}.
 */
final class OnTheWay {

    private static final long NONE = Long.MAX_VALUE;

    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong arrived = new AtomicLong();
    /** The number of arrivals that the journal waits for. */
    private final AtomicLong awaited = new AtomicLong(NONE);

    void announce() {
        announced.incrementAndGet();
    }

    /** Ends one announcement. True: the journal waited for this and is to be woken; told once for each {@link #await} that said true. */
    boolean arrive() {
        return met(arrived.incrementAndGet());
    }

    /** Whether there is anything to wait for; then an {@link #arrive} will say that the wait is over. On the journal loop. */
    boolean await() {
        long all = announced.get();
        if (arrived.get() >= all) {
            return false;
        }
        awaited.set(all);
        // What came between the look and the note would not have woken anybody.
        return !met(arrived.get());
    }

    private boolean met(long come) {
        long wanted = awaited.get();
        return come >= wanted && awaited.compareAndSet(wanted, NONE);
    }
}
