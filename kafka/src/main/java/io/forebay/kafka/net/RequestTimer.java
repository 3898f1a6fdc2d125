package io.forebay.kafka.net;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells the requests of one connection when their time is up.
 *
 * <p>There is one scheduled task at most, and only while something may wait. It is not called off when a request is answered, because
 * nearly all are answered in time: a busy connection schedules once per limit, not once per request, and an idle one never.
 *
 * <p>Owned by the connection's loop.
 */
final class RequestTimer {

    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Loop loop;
    private final Clock clock;
    private final Collection<Request> requests;
    private Loop.@Nullable Cancellable armed;
    private long armedForNs;

    /**
     * Nothing is scheduled yet.
     *
     * @param requests those under way, as they are when the time comes
     */
    RequestTimer(Loop loop, Clock clock, Collection<Request> requests) {
        this.loop = loop;
        this.clock = clock;
        this.requests = requests;
    }

    /** Returns the deadline of a request, in the clock's nanoseconds, and sees to it that it is not missed. */
    long deadlineNs(long limitMs) {
        long deadline = clock.nanos() + limitMs * NANOS_PER_MS;
        if (armed == null || deadline - armedForNs < 0) {
            stop();
            arm(deadline, limitMs);
        }
        return deadline;
    }

    void stop() {
        if (armed != null) {
            armed.cancel();
            armed = null;
        }
    }

    private void arm(long deadlineNs, long delayMs) {
        armedForNs = deadlineNs;
        armed = loop.schedule(this::fire, delayMs);
    }

    private void fire() {
        armed = null;
        long now = clock.nanos();
        List<Request> due = new ArrayList<>();
        long leastLeftNs = Long.MAX_VALUE;
        for (Request request : requests) {
            if (request.hasDeadline()) {
                long leftNs = request.deadlineNs() - now;
                if (leftNs <= 0) {
                    due.add(request);
                } else {
                    leastLeftNs = Math.min(leastLeftNs, leftNs);
                }
            }
        }
        if (leastLeftNs < Long.MAX_VALUE) {
            arm(now + leastLeftNs, (leastLeftNs + NANOS_PER_MS - 1) / NANOS_PER_MS);
        }
        due.forEach(Request::timeIsUp);
    }
}
