package io.forebay.bench.report;

import io.forebay.bench.report.Bar.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Every line of the table and its bars. The rows use the names, the report the order. */
public final class Metrics {
    /** Partition counts of the produce and consume rows. */
    public static final List<Integer> STREAM_PARTITIONS = List.of(1, 16, 64);
    /** Partition counts of the start, recover and idle rows. */
    public static final List<Integer> LIFE_PARTITIONS = List.of(64, 2048);
    /** Rates of the latency row, records a second. */
    public static final List<Integer> LATENCY_RATES = List.of(1000, 10_000);
    /** Lingers of the latency row, milliseconds. */
    public static final List<Integer> LATENCY_LINGERS = List.of(0, 5);

    /** The part of a core that the client's busiest thread used at 2,048 partitions, percent. */
    public static final String MANY_CLIENT_THREAD = "many.2048.thread";
    /** Stands for a target where the disk alone was measured. */
    public static final String DISK = "disk";

    private static final String OS = "os";
    private static final String ALWAYS = "always";
    private static final String CPU_UNIT = "s/GiB";
    private static final String RATE_UNIT = "MiB/s";
    private static final int PARTITIONS_OF_BAR = 16;

    private Metrics() {}

    /** The name of a figure taken at a partition count. */
    public static String at(String metric, int partitions) {
        return metric + "." + partitions;
    }

    /** The name of the same percentile of a raw {@code fdatasync} at the pace and size of that latency load. */
    public static String syncBeside(String latency) {
        return "disk.sync." + latency;
    }

    /** The name of a latency figure. */
    public static String latency(int rate, int linger, String percentile) {
        return "latency." + rate + "." + linger + "." + percentile;
    }

    /** All metrics in the order of the table. */
    public static List<Metric> all() {
        List<Metric> all = new ArrayList<>();
        stream(all);
        many(all);
        latency(all);
        life(all);
        return all;
    }

    private static void stream(List<Metric> all) {
        for (int p : STREAM_PARTITIONS) {
            Map<String, Bar> bars = p <= PARTITIONS_OF_BAR
                    ? Map.of(OS, new Bar(Kind.RATIO_AT_MOST, 1.0), ALWAYS, new Bar(Kind.RATIO_AT_MOST, 1.2))
                    : Map.of();
            all.add(plain(at("produce.cpu", p), "server CPU produced, " + partitions(p), CPU_UNIT, 2, bars));
        }
        all.add(plain(
                "consume.tail",
                "server CPU, produced at 40 MiB/s and consumed at the tail, 16 partitions",
                CPU_UNIT,
                2,
                both(Kind.RATIO_AT_MOST, 1.0)));
        for (int p : STREAM_PARTITIONS) {
            all.add(plain(
                    at("consume.catchup", p),
                    "server CPU consumed from the beginning, " + partitions(p),
                    CPU_UNIT,
                    2,
                    both(Kind.RATIO_AT_MOST, 1.0)));
        }
        for (int p : STREAM_PARTITIONS) {
            all.add(plain(
                    at("produce.rate", p),
                    "produce throughput, " + partitions(p),
                    RATE_UNIT,
                    0,
                    both(Kind.RATIO_AT_LEAST, 1.0)));
        }
        for (int p : STREAM_PARTITIONS) {
            all.add(plain(
                    at("consume.rate", p),
                    "consume throughput, " + partitions(p),
                    RATE_UNIT,
                    0,
                    both(Kind.RATIO_AT_LEAST, 1.0)));
        }
    }

    private static void many(List<Metric> all) {
        for (int p : LIFE_PARTITIONS) {
            boolean judged = p == 2048;
            String where = ", records spread over " + partitions(p);
            all.add(plain(
                    "many." + p + ".cpu",
                    "server CPU" + where,
                    CPU_UNIT,
                    2,
                    judged ? both(Kind.RATIO_AT_MOST, 0.7) : Map.of()));
            all.add(plain(
                    "many." + p + ".rate",
                    "throughput" + where,
                    RATE_UNIT,
                    1,
                    judged ? both(Kind.RATIO_AT_LEAST_OR_CLIENT, 1.5) : Map.of()));
            all.add(plain("many." + p + ".client", "client CPU" + where, CPU_UNIT, 2, Map.of()));
            all.add(plain("many." + p + ".thread", "client's busiest thread" + where, "% of a core", 0, Map.of()));
            all.add(plain("many." + p + ".idle", "machine idle" + where, "%", 0, Map.of()));
        }
    }

    private static void latency(List<Metric> all) {
        Map<String, Bar> bars =
                Map.of(OS, new Bar(Kind.RATIO_AT_MOST, 1.0), ALWAYS, new Bar(Kind.SYNC_RATIO_AT_MOST, 1.0));
        for (int rate : LATENCY_RATES) {
            for (int linger : LATENCY_LINGERS) {
                String what = String.format(Locale.ROOT, "at %,d msg/s, linger %d ms", rate, linger);
                all.add(plain(latency(rate, linger, "p50"), "acknowledged p50 " + what, "ms", 2, bars));
                all.add(new Metric(latency(rate, linger, "p99"), "acknowledged p99 " + what, "ms", 2, true, bars));
            }
        }
    }

    private static void life(List<Metric> all) {
        for (int p : LIFE_PARTITIONS) {
            all.add(plain(
                    at("start", p),
                    "start on existing data to ready, " + partitions(p),
                    "s",
                    2,
                    both(Kind.VALUE_AT_MOST, 1.5)));
        }
        for (int p : LIFE_PARTITIONS) {
            all.add(plain(at("recover", p), "kill -9 to ready, " + partitions(p), "s", 2, both(Kind.VALUE_AT_MOST, 3)));
            all.add(plain(
                    at("recover.all", p),
                    "kill -9 to a record acknowledged on each of " + partitions(p),
                    "s",
                    2,
                    Map.of()));
        }
        all.add(plain(
                "recover.growth", "kill -9 to ready, 2,048 over 64 partitions", "×", 2, both(Kind.NEAR_ONE, 0.3)));
        all.add(plain(
                "create",
                "creating 2,048 partitions until each has acknowledged a record",
                "s",
                2,
                both(Kind.VALUE_AT_MOST, 2)));
        for (int p : LIFE_PARTITIONS) {
            all.add(plain(at("idle.memory", p), "idle RSS, " + partitions(p), "MiB", 0, both(Kind.VALUE_AT_MOST, 300)));
        }
        all.add(plain(
                "idle.memory.growth", "idle RSS, 2,048 less 64 partitions", "MiB", 0, both(Kind.VALUE_AT_MOST, 40)));
        for (int p : LIFE_PARTITIONS) {
            all.add(plain(
                    at("idle.cpu", p), "idle CPU, " + partitions(p), "% of a core", 2, both(Kind.VALUE_AT_MOST, 1)));
        }
    }

    private static Metric plain(String id, String label, String unit, int digits, Map<String, Bar> bars) {
        return new Metric(id, label, unit, digits, false, bars);
    }

    private static Map<String, Bar> both(Kind kind, double limit) {
        return Map.of(OS, new Bar(kind, limit), ALWAYS, new Bar(kind, limit));
    }

    private static String partitions(int count) {
        return String.format(Locale.ROOT, count == 1 ? "%,d partition" : "%,d partitions", count);
    }
}
