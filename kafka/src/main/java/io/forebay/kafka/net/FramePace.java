package io.forebay.kafka.net;

/**
 * Whether a request comes in fast enough for the memory that it holds from its first byte on. Owned by the connection's loop.
 *
 * <p>A byte now and then is no progress: two clients that announce large requests and drip them would keep everybody else's out. So a part of the request has to
 * come within the time that a silent one has; the whole takes {@value #PARTS} times that at most.
 */
final class FramePace {

    private static final int PARTS = 24;
    private static final int LEAST_BYTES = 4 << 10;

    private long enoughBytes = LEAST_BYTES;
    private long countedBytes;
    private int enoughTick;

    /** A request has begun that holds so many bytes. */
    void begins(long bytes, int tick) {
        enoughBytes = Math.max(LEAST_BYTES, bytes / PARTS);
        countedBytes = 0;
        enoughTick = tick;
    }

    /** Something has come in: of the request so many bytes in all. */
    void reached(int bytes, int tick) {
        if (bytes - countedBytes >= enoughBytes) {
            countedBytes = bytes;
            enoughTick = tick;
        }
    }

    /** Ticks since enough had come in. */
    int slowTicks(int now) {
        return now - enoughTick;
    }
}
