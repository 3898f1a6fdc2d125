package io.forebay.kafka.net;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of requests may be in flight over all connections. Who finds it used up waits in a line, first come first served, and
 * does not read its socket meanwhile. Thread-safe, without locks.
 *
 * <p>A request larger than all of it is admitted when nothing else is in flight, so that none waits for ever.
 */
public final class Admission {

    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final Queue<Place> line = new ConcurrentLinkedQueue<>();
    private final AtomicInteger grants = new AtomicInteger();

    public Admission(long limitBytes) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("nothing could ever be admitted: " + limitBytes);
        }
        this.limitBytes = limitBytes;
    }

    /** A place in the line. */
    public static final class Place {
        private static final int WAITING = 0;
        private static final int GRANTED = 1;
        private static final int LEFT = 2;

        private final long bytes;
        private final Runnable granted;
        private final AtomicInteger state = new AtomicInteger(WAITING);

        private Place(long bytes, Runnable granted) {
            this.bytes = bytes;
            this.granted = granted;
        }
    }

    /** Bytes in flight. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Whether anybody waits. */
    public boolean isAwaited() {
        return !line.isEmpty();
    }

    /** Takes the bytes if they are free and nobody waits. */
    public boolean tryTake(long bytes) {
        return line.isEmpty() && take(bytes);
    }

    /**
     * Waits for the bytes in the line.
     *
     * @param granted runs once on any thread when the bytes have been taken for the caller
     */
    public Place await(long bytes, Runnable granted) {
        Place place = new Place(bytes, granted);
        line.add(place);
        grant();
        return place;
    }

    /** Leaves the line. If the bytes were granted already, false: the caller has to release them. */
    public boolean leave(Place place) {
        boolean left = place.state.compareAndSet(Place.WAITING, Place.LEFT);
        grant();
        return left;
    }

    public void release(long bytes) {
        long left = usedBytes.addAndGet(-bytes);
        if (left < 0) {
            throw new IllegalStateException("more bytes were released than taken: " + left);
        }
        if (!line.isEmpty()) {
            grant();
        }
    }

    private boolean take(long bytes) {
        while (true) {
            long used = usedBytes.get();
            if (used > 0 && used + bytes > limitBytes) {
                return false;
            }
            if (usedBytes.compareAndSet(used, used + bytes)) {
                return true;
            }
        }
    }

    // One thread at a time serves the line; others leave it a note to look again.
    private void grant() {
        if (grants.getAndIncrement() != 0) {
            return;
        }
        int notes = 1;
        do {
            serveLine();
            notes = grants.addAndGet(-notes);
        } while (notes != 0);
    }

    private void serveLine() {
        Place head = line.peek();
        while (head != null) {
            if (head.state.get() != Place.LEFT) {
                if (!take(head.bytes)) {
                    return;
                }
                if (head.state.compareAndSet(Place.WAITING, Place.GRANTED)) {
                    head.granted.run();
                } else {
                    long unused = usedBytes.addAndGet(-head.bytes);
                }
            }
            Place unused = line.poll();
            head = line.peek();
        }
    }
}
