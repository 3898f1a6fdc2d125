package io.forebay.bench.load;

import java.util.Arrays;

/**
 * How long each record of the last load with a consumer at its end took from the moment it was due until it was consumed. Written by the reader at the tail; read
 * when that load is over. The moments are of the machine's monotonic clock, which all JVMs of it share.
 */
final class TailTimes {
    private static final int FIRST_SIZE = 1 << 16;

    private static long[] due = new long[FIRST_SIZE];
    private static long[] took = new long[FIRST_SIZE];
    private static int count;

    private TailTimes() {}

    static synchronized void forget() {
        count = 0;
    }

    static synchronized void add(long dueNanos, long seenNanos) {
        if (count == due.length) {
            due = Arrays.copyOf(due, count * 2);
            took = Arrays.copyOf(took, count * 2);
        }
        due[count] = dueNanos;
        took[count++] = seenNanos - dueNanos;
    }

    /** Answers percentiles, in milliseconds, of what was due between the moments {@code from} and {@code to}. */
    static synchronized Line window(Line request) {
        long from = request.number("from");
        long to = request.number("to");
        long[] within = new long[count];
        int records = 0;
        for (int i = 0; i < count; i++) {
            if (due[i] - from >= 0 && due[i] - to < 0) {
                within[records++] = took[i];
            }
        }
        if (records == 0) {
            throw new IllegalStateException("no record was due then");
        }
        Arrays.sort(within, 0, records);
        return Line.of("ok")
                .with("samples", records)
                .with("p50", within[records / 2] / 1e6)
                .with("p99", within[(int) (records * 0.99)] / 1e6);
    }
}
