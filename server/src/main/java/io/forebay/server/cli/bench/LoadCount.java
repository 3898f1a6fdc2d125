package io.forebay.server.cli.bench;

import io.forebay.model.Clock;
import io.forebay.server.cli.terminal.Json;
import io.forebay.server.cli.terminal.Words;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts records and bytes, and over which time. Counting is for one thread at a time, reading for any.
 */
final class LoadCount {
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private volatile long firstNanos;
    private volatile long lastNanos;
    private long shownRecords;
    private long shownNanos;

    /** Counting begins now. */
    void begin(long nanos) {
        firstNanos = nanos;
        lastNanos = nanos;
        shownNanos = nanos;
    }

    void add(long size, long nanos) {
        records.lazySet(records.get() + 1);
        bytes.lazySet(bytes.get() + size);
        lastNanos = nanos;
    }

    long records() {
        return records.get();
    }

    double seconds() {
        return Math.max(1e-6, (lastNanos - firstNanos) / 1e9);
    }

    /** "1,234 records, 120,000/s" where the rate is that since the last call. */
    String recentWords(Clock clock) {
        long now = clock.nanos();
        long count = records.get();
        double rate = (count - shownRecords) * 1e9 / Math.max(1, now - shownNanos);
        shownRecords = count;
        shownNanos = now;
        return Words.count(count, "record") + ", " + Words.rate(rate);
    }

    /** "1,234 records (1.2 MiB) in 0.5 s: 2,468/s, 2.4 MiB/s". */
    String words() {
        return Words.count(records.get(), "record") + " (" + Words.bytes((double) bytes.get()) + ") in "
                + Words.seconds(seconds()) + ": " + Words.rate(records.get() / seconds()) + ", "
                + Words.bytes(bytes.get() / seconds()) + "/s";
    }

    Map<String, Object> toJson() {
        return Json.object(
                "records",
                records.get(),
                "bytes",
                bytes.get(),
                "seconds",
                seconds(),
                "recordsPerSecond",
                records.get() / seconds(),
                "mibPerSecond",
                bytes.get() / seconds() / (1 << 20));
    }
}
