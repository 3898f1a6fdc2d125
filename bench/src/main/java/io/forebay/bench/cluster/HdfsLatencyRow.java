package io.forebay.bench.cluster;

import io.forebay.bench.load.ClientProcess;
import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.machine.QuietWatch;
import java.time.Duration;

/**
 * Acknowledge latency of one node over HDFS, beside Hadoop's own client that writes and flushes as much at the same pace to the same three DataNodes: slices of one and of
 * the other in turns, who begins changes. Both count from the moment that something was due.
 */
final class HdfsLatencyRow implements ClusterRow {
    private static final int BASE_PORT = 24_100;
    private static final int PARTITIONS = 16;
    private static final int RATE = 1_000;
    private static final int VALUE_BYTES = 4 << 10;
    private static final int SLICES_OF_ROUND = 2;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @Override
    public boolean once() {
        return true;
    }

    @Override
    public void run(Rig rig, int round) {
        try (HdfsSite hdfs = (HdfsSite) rig.store("hdfs");
                ClusterNodes nodes = new ClusterNodes(
                        rig, hdfs, "latency", BASE_PORT, rig.plan().heap(), ClusterNodes.SMALL_CACHES);
                ClientProcess kafkaClient = rig.client("latency-client");
                ClientProcess hdfsClient = rig.client("latency-hflush")) {
            nodes.startAll(1);
            try (Topics topics = new Topics(nodes.bootstrap(1))) {
                int made = topics.create("latency", PARTITIONS).size();
                rig.say("%d partitions; warming up".formatted(made));
            }
            int warmSeconds = rig.plan().seconds();
            Line unusedFlushes = call(hdfsClient, hflush(hdfs, warmSeconds));
            Line unusedSends = call(kafkaClient, paced(nodes, warmSeconds));
            for (int slice = 0; slice < rig.plan().rounds() * SLICES_OF_ROUND; slice++) {
                slice(rig, hdfs, nodes, kafkaClient, hdfsClient, slice);
            }
        }
    }

    private static void slice(
            Rig rig,
            HdfsSite hdfs,
            ClusterNodes nodes,
            ClientProcess kafkaClient,
            ClientProcess hdfsClient,
            int slice) {
        int seconds = rig.plan().seconds();
        QuietWatch watch = new QuietWatch();
        Line raw = slice % 2 == 0 ? call(hdfsClient, hflush(hdfs, seconds)) : Line.of("later");
        Line forebay = call(kafkaClient, paced(nodes, seconds));
        if (slice % 2 != 0) {
            raw = call(hdfsClient, hflush(hdfs, seconds));
        }
        boolean quiet = watch.quiet();
        for (String percentile : new String[] {"p50", "p99"}) {
            double own = forebay.decimal(percentile);
            double other = raw.decimal(percentile);
            rig.note("latency." + percentile, "raw", slice, other, quiet);
            rig.note("latency." + percentile, "forebay", slice, own, quiet);
            rig.note("latency.over." + percentile, "forebay", slice, own - other, quiet);
        }
    }

    private static Line hflush(HdfsSite hdfs, int seconds) {
        return Line.of("hflush")
                .with("uri", hdfs.uri("raw"))
                .with("conf", hdfs.conf())
                .with("rate", RATE)
                .with("seconds", seconds)
                .with("value", VALUE_BYTES);
    }

    private static Line paced(ClusterNodes nodes, int seconds) {
        return ClusterLoads.paced(
                        nodes.bootstrap(1), nodes.pid(1), new TopicSet("latency", 1, PARTITIONS), RATE, seconds)
                .with("value", VALUE_BYTES)
                .with("linger", 0);
    }

    private static Line call(ClientProcess client, Line request) {
        return ClusterLoads.call(client, request, LIMIT);
    }
}
