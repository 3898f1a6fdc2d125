package io.forebay.server.cli.bench;

import io.forebay.server.cli.terminal.Json;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Latencies of one kind. Recording is for any thread and does not wait; the rest is for the command's thread.
 */
final class Latencies {
    private static final int DIGITS = 3;

    private final Recorder recorder = new Recorder(DIGITS);
    private final Histogram all = new Histogram(DIGITS);
    private Histogram interval = recorder.getIntervalHistogram();

    void record(long nanos) {
        recorder.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }

    /** Adds to the total what came since the last call, and gives that part alone. */
    private Histogram next() {
        interval = recorder.getIntervalHistogram(interval);
        all.add(interval);
        return interval;
    }

    /** "p50 0.8 ms, p99 3.1 ms" of what came since the last look. */
    String recentWords() {
        Histogram recent = next();
        return recent.getTotalCount() == 0
                ? "no latencies"
                : "p50 " + words(percentileMs(recent, 50)) + ", p99 " + words(percentileMs(recent, 99));
    }

    /** All percentiles of the whole run. */
    String words() {
        Histogram unused = next();
        return "p50 " + words(percentileMs(all, 50))
                + ", p90 " + words(percentileMs(all, 90))
                + ", p99 " + words(percentileMs(all, 99))
                + ", p99.9 " + words(percentileMs(all, 99.9))
                + ", p99.99 " + words(percentileMs(all, 99.99))
                + ", max " + words(percentileMs(all, 100))
                + ", mean " + words(all.getMean() / 1e3);
    }

    Map<String, Object> toJson() {
        Histogram unused = next();
        return Json.object(
                "count", all.getTotalCount(),
                "mean", all.getMean() / 1e3,
                "p50", percentileMs(all, 50),
                "p90", percentileMs(all, 90),
                "p99", percentileMs(all, 99),
                "p99.9", percentileMs(all, 99.9),
                "p99.99", percentileMs(all, 99.99),
                "max", percentileMs(all, 100));
    }

    private static double percentileMs(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }

    private static String words(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.2f ms" : millis < 100 ? "%.1f ms" : "%.0f ms", millis);
    }
}
