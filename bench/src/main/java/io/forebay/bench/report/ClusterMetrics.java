package io.forebay.bench.report;

import io.forebay.bench.report.Bar.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every figure of a cluster and its bar. The rows use the names, the report the order. */
public final class ClusterMetrics {
    /** Short names of what is measured, with what a reader sees. */
    public static final Map<String, String> TARGETS = targets();

    private static final List<String> STORES = List.of("folder", "hdfs", "s3");

    private ClusterMetrics() {}

    private static Map<String, String> targets() {
        Map<String, String> targets = new LinkedHashMap<>();
        targets.put("folder", "folder");
        targets.put("hdfs", "HDFS");
        targets.put("s3", "S3");
        targets.put("forebay", "Forebay");
        targets.put("journal", "Forebay, journal alone");
        targets.put("flushed", "Forebay, all flushed and merged");
        targets.put("raw", "raw `hflush`");
        targets.put("kafka", "Kafka");
        return targets;
    }

    /** Groups of figures by their titles. */
    static Map<String, List<Metric>> groups() {
        Map<String, List<Metric>> groups = new LinkedHashMap<>();
        groups.put("Nodes die", deaths());
        groups.put("Nodes stop, join and start", lives());
        groups.put("A shard moves", moves());
        groups.put("A node that is controller only dies", roles());
        groups.put("Acknowledge latency over HDFS", latency());
        groups.put("Produce over HDFS", produce());
        groups.put("A writer on HDFS dies", lease());
        groups.put("Requests to S3", requests());
        groups.put("The tail beside a cold catch-up", catchUp());
        groups.put("A controller with 100,000 partitions", controller());
        return groups;
    }

    private static List<Metric> deaths() {
        List<Metric> all = new ArrayList<>();
        for (String size : List.of("1000", "10000")) {
            String partitions = size.equals("1000") ? "1,000 partitions" : "10,000 partitions";
            all.add(onStores(
                    "kill.broker." + size,
                    "kill -9 of a broker until all of " + partitions + " acknowledge",
                    "ms",
                    0,
                    new Bar(Kind.VALUE_AT_MOST, 5_000)));
            all.add(onStores(
                    "kill.controller." + size,
                    "kill -9 of the controller's node until all of " + partitions + " acknowledge",
                    "ms",
                    0,
                    new Bar(Kind.VALUE_AT_MOST, 7_000)));
        }
        Bar same = new Bar(Kind.NEAR_ONE, 0.2);
        all.add(onStores("kill.broker.sizes", "broker: 10,000 over 1,000 partitions, same round", "×", 2, same));
        all.add(onStores(
                "kill.controller.sizes", "controller: 10,000 over 1,000 partitions, same round", "×", 2, same));
        all.add(onStores(
                "kill.controller.create",
                "kill -9 of the controller until a topic is created",
                "ms",
                0,
                new Bar(Kind.VALUE_AT_MOST, 6_000)));
        return all;
    }

    private static List<Metric> lives() {
        Bar none = new Bar(Kind.VALUE_AT_MOST, 0);
        return List.of(
                onStores("drain.exit", "drain: SIGTERM to exit", "ms", 0, new Bar(Kind.VALUE_AT_MOST, 3_000)),
                onStores("drain.pause.p50", "drain: longest pause of a partition, p50", "ms", 0, Bar.NONE),
                onStores("drain.pause.p99", "drain: longest pause of a partition, p99", "ms", 0, Bar.NONE),
                onStores("life.failed", "sends that failed, of all that was done to the nodes", "", 0, none),
                onStores("life.lost", "acknowledged records that are not there at the end", "", 0, none),
                onStores(
                        "join.share",
                        "a fourth node: ready until it serves its share",
                        "ms",
                        0,
                        new Bar(Kind.VALUE_AT_MOST, 5_000)),
                onStores("join.bytes.segment", "a fourth node: segments written for the move", "KiB", 1, none),
                onStores("join.bytes.manifest", "a fourth node: manifests", "KiB", 1, Bar.NONE),
                onStores("join.bytes.journal", "a fourth node: journals", "KiB", 1, Bar.NONE),
                onStores("join.bytes.root", "a fourth node: metadata of the cluster", "KiB", 1, Bar.NONE),
                onStores("join.bytes.other", "a fourth node: anything else", "KiB", 1, none),
                onStores(
                        "restart.2048",
                        "restart of all three after kill -9 until all of 2,048 partitions acknowledge",
                        "ms",
                        0,
                        new Bar(Kind.VALUE_AT_MOST, 5_000)));
    }

    private static List<Metric> moves() {
        Bar pause = new Bar(Kind.VALUE_AT_MOST, 200);
        return List.of(
                onStores("move.usual", "time between two acknowledgements before", "ms", 1, Bar.NONE),
                onStores("move.p50", "pause of a partition of the shard, p50", "ms", 1, Bar.NONE),
                new Metric(
                        "move.p99",
                        "pause of a partition of the shard, p99",
                        "ms",
                        1,
                        true,
                        Map.of("folder", pause, "hdfs", pause)),
                on("s3", "move.put.p50", "one PUT of this store, 4 KiB, p50", "ms", 1, false, Bar.NONE),
                on("s3", "move.put.p99", "one PUT of this store, 4 KiB, p99", "ms", 1, false, Bar.NONE),
                on("s3", "move.over.p50", "p50 of the pause less three p50 of a PUT", "ms", 1, true, hundred()),
                on("s3", "move.over.p99", "p99 of the pause less three p99 of a PUT", "ms", 1, true, hundred()));
    }

    private static Bar hundred() {
        return new Bar(Kind.VALUE_AT_MOST, 100);
    }

    private static List<Metric> roles() {
        Bar none = new Bar(Kind.VALUE_AT_MOST, 0);
        return List.of(
                onStores("role.sends", "sends to the other nodes meanwhile", "", 0, Bar.NONE),
                onStores("role.failed.produce", "of these failed, without a retry", "", 0, none),
                onStores("role.failed.fetch", "fetches that failed", "", 0, none),
                onStores("role.gap", "longest time without an acknowledgement of a partition", "ms", 0, Bar.NONE),
                onStores("role.create", "until a topic is created again", "ms", 0, new Bar(Kind.VALUE_AT_MOST, 6_000)));
    }

    private static List<Metric> latency() {
        return List.of(
                new Metric("latency.p50", "4 KiB batches, 1,000/s: p50", "ms", 2, false, Map.of()),
                new Metric("latency.p99", "4 KiB batches, 1,000/s: p99", "ms", 2, true, Map.of()),
                on(
                        "forebay",
                        "latency.over.p50",
                        "p50 less raw p50, same round",
                        "ms",
                        2,
                        false,
                        new Bar(Kind.VALUE_AT_MOST, 1)),
                on(
                        "forebay",
                        "latency.over.p99",
                        "p99 less raw p99, same round",
                        "ms",
                        2,
                        true,
                        new Bar(Kind.VALUE_AT_MOST, 5)));
    }

    private static List<Metric> produce() {
        Bar faster = new Bar(Kind.VALUE_AT_LEAST, 1);
        return List.of(
                new Metric("produce.rate", "throughput, 16 partitions", "MiB/s", 0, false, Map.of()),
                new Metric("produce.cpu", "CPU of all servers", "s/GiB", 2, false, Map.of()),
                new Metric("produce.cpu.nodes", "of it Forebay's nodes", "s/GiB", 2, false, Map.of()),
                on("journal", "produce.rate.ratio", "throughput over Kafka's, same round", "×", 2, false, faster),
                new Metric(
                        "produce.cpu.ratio",
                        "CPU over Kafka's, same round",
                        "×",
                        2,
                        false,
                        Map.of(
                                "journal",
                                new Bar(Kind.VALUE_AT_MOST, 1),
                                "flushed",
                                new Bar(Kind.VALUE_AT_MOST, 1.5))));
    }

    private static List<Metric> lease() {
        return List.of(
                on("hdfs", "lease.runs", "writers killed with kill -9", "", 0, false, Bar.NONE),
                on("hdfs", "lease.p50", "kill until tombstone and seal are done, p50", "ms", 0, false, Bar.NONE),
                on(
                        "hdfs",
                        "lease.max",
                        "kill until tombstone and seal are done, longest",
                        "ms",
                        0,
                        false,
                        new Bar(Kind.VALUE_AT_MOST, 1_500)),
                on(
                        "hdfs",
                        "lease.short",
                        "runs whose end is below what was acknowledged",
                        "",
                        0,
                        false,
                        new Bar(Kind.VALUE_AT_MOST, 0)),
                on("hdfs", "lease.node.p50", "with a DataNode of the file killed too, p50", "ms", 0, false, Bar.NONE),
                on(
                        "hdfs",
                        "lease.node.max",
                        "with a DataNode of the file killed too, longest",
                        "ms",
                        0,
                        false,
                        Bar.NONE));
    }

    private static List<Metric> requests() {
        List<Metric> all = new ArrayList<>();
        all.add(s3("idle.put", "at rest: PUT", "1/s", 2, new Bar(Kind.VALUE_AT_MOST, 0)));
        all.add(s3("idle.get", "at rest: GET and HEAD", "1/s", 2, Bar.NONE));
        all.add(s3("idle.list", "at rest: LIST", "1/s", 2, Bar.NONE));
        all.add(s3("idle.cost", "at rest: requests of a month", "$", 2, Bar.NONE));
        all.add(s3("load.put.journal", "10 MiB/s: PUT of the journal", "1/s", 2, new Bar(Kind.VALUE_AT_MOST, 5)));
        all.add(s3("load.put", "10 MiB/s: PUT and POST in all", "1/s", 2, new Bar(Kind.VALUE_AT_MOST, 8)));
        all.add(s3("load.get", "10 MiB/s: GET and HEAD", "1/s", 2, Bar.NONE));
        all.add(s3("load.list", "10 MiB/s: LIST", "1/s", 2, Bar.NONE));
        all.add(s3("load.delete", "10 MiB/s: DELETE", "1/s", 2, Bar.NONE));
        all.add(s3("load.cost", "10 MiB/s: requests of a month", "$", 2, Bar.NONE));
        return all;
    }

    private static List<Metric> catchUp() {
        Bar near = new Bar(Kind.VALUE_AT_MOST, 1.2);
        return List.of(
                new Metric("tail.p99.alone", "tail of 5,000 msg/s, produced to consumed, p99", "ms", 2, true, Map.of()),
                new Metric("tail.p99.beside", "the same beside a catch-up", "ms", 2, true, Map.of()),
                new Metric("tail.catchup", "the catch-up meanwhile", "MiB/s", 0, false, Map.of()),
                new Metric(
                        "tail.ratio", "p99 beside over p99 alone, same round", "×", 2, true, Map.of("forebay", near)),
                new Metric("tail.idle.p99.alone", "once more: p99 alone", "ms", 2, true, Map.of()),
                new Metric(
                        "tail.idle.p99.beside",
                        "beside a catch-up whose consumer gets only idle processors",
                        "ms",
                        2,
                        true,
                        Map.of()),
                new Metric("tail.idle.catchup", "the catch-up meanwhile", "MiB/s", 0, false, Map.of()),
                new Metric(
                        "tail.idle.ratio",
                        "p99 beside over p99 alone, same round",
                        "×",
                        2,
                        true,
                        Map.of("forebay", near)));
    }

    private static List<Metric> controller() {
        return List.of(
                forebay("image.partitions", "partitions in the image", "", 0, false, Bar.NONE),
                forebay(
                        "image.heap",
                        "heap of a node that is controller only, after a full collection",
                        "MiB",
                        0,
                        false,
                        new Bar(Kind.VALUE_AT_MOST, 400)),
                forebay(
                        "image.replay",
                        "start of its process until snapshot and journal are replayed",
                        "s",
                        2,
                        false,
                        new Bar(Kind.VALUE_AT_MOST, 3)),
                forebay("image.records", "records replayed beside the snapshot", "", 0, false, Bar.NONE),
                forebay(
                        "image.spread.p50",
                        "request to create a topic sent until all three nodes show it, p50",
                        "ms",
                        1,
                        false,
                        Bar.NONE),
                forebay(
                        "image.spread.p99",
                        "request to create a topic sent until all three nodes show it, p99",
                        "ms",
                        1,
                        true,
                        hundred()));
    }

    private static Metric onStores(String id, String label, String unit, int digits, Bar bar) {
        Map<String, Bar> bars = new LinkedHashMap<>();
        if (bar.kind() != Kind.NONE) {
            STORES.forEach(store -> bars.put(store, bar));
        }
        return new Metric(id, label, unit, digits, false, bars);
    }

    private static Metric on(
            String target, String id, String label, String unit, int digits, boolean quietOnly, Bar bar) {
        return new Metric(id, label, unit, digits, quietOnly, bar.kind() == Kind.NONE ? Map.of() : Map.of(target, bar));
    }

    private static Metric s3(String id, String label, String unit, int digits, Bar bar) {
        return on("s3", "requests." + id, label, unit, digits, false, bar);
    }

    private static Metric forebay(String id, String label, String unit, int digits, boolean quietOnly, Bar bar) {
        return on("forebay", id, label, unit, digits, quietOnly, bar);
    }
}
