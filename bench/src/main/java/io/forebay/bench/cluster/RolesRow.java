package io.forebay.bench.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A node that is nothing but the controller dies while producers without retries and a consumer work on the two others. */
final class RolesRow implements ClusterRow {
    private static final int BASE_PORT = 24_100;
    private static final int PARTITIONS = 64;
    private static final long EVERY_MS = 20;
    private static final long BEFORE_MS = 2_000;
    private static final long AFTER_MS = 3_000;

    @Override
    public boolean once() {
        return true;
    }

    @Override
    public void run(Rig rig, int round) {
        for (String kind : rig.plan().stores()) {
            try (StoreSite store = rig.store(kind);
                    ClusterNodes nodes = new ClusterNodes(
                            rig, store, "roles", BASE_PORT, rig.plan().heap(), ClusterNodes.SMALL_CACHES)) {
                nodes.start(1, Map.of("node.roles", "controller"));
                nodes.awaitLine(1, "node 1 is the controller");
                nodes.start(2);
                nodes.start(3);
                nodes.awaitReady(2);
                nodes.awaitReady(3);
                measure(rig, store, nodes, round);
            }
        }
    }

    private static void measure(Rig rig, StoreSite store, ClusterNodes nodes, int round) {
        String bootstrap = nodes.address(2) + "," + nodes.address(3);
        Map<String, String> noRetries = Map.of("retries", "0", "enable.idempotence", "false");
        try (Topics topics = new Topics(bootstrap)) {
            List<TopicPartition> partitions = topics.create("roles", PARTITIONS);
            topics.awaitShares("roles", PARTITIONS, 2);
            try (AckProbe warm = new AckProbe(bootstrap, partitions, 0)) {
                warm.askAll(Topics.LIMIT_MS);
            }
            try (AckProbe probe = new AckProbe(bootstrap, partitions, EVERY_MS, noRetries);
                    Reader reader = new Reader(bootstrap, partitions)) {
                Rig.pause(BEFORE_MS);
                probe.forgetGaps();
                long failedBefore = probe.failures();
                long sentBefore = probe.acknowledged();
                long killed = System.nanoTime();
                nodes.kill(1);
                List<TopicPartition> unused = topics.create("after", 1);
                double created = (System.nanoTime() - killed) / 1e6;
                Rig.pause(AFTER_MS);
                probe.rest();
                long failed = probe.failures() - failedBefore;
                rig.note("role.sends", store.kind(), round, (double) (probe.acknowledged() - sentBefore + failed));
                rig.note("role.failed.produce", store.kind(), round, (double) failed);
                rig.note("role.failed.fetch", store.kind(), round, (double) reader.failures(probe.acknowledged()));
                rig.note("role.gap", store.kind(), round, Numbers.percentile(probe.gapsMs(), 1) - EVERY_MS);
                rig.note("role.create", store.kind(), round, created);
            }
        }
    }

    /** Reads along; what does not come, or comes as an error, has failed. */
    private static final class Reader implements AutoCloseable {
        private static final long PATIENCE_MS = 5_000;

        private final AtomicLong seen = new AtomicLong();
        private final AtomicLong failures = new AtomicLong();
        private volatile boolean closing;
        private final Thread thread;

        Reader(String bootstrap, List<TopicPartition> partitions) {
            this.thread = new Thread(() -> read(bootstrap, partitions), "reader");
            thread.setDaemon(true);
            thread.start();
        }

        private void read(String bootstrap, List<TopicPartition> partitions) {
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", bootstrap, "auto.offset.reset", "earliest"),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer())) {
                consumer.assign(partitions);
                while (!closing) {
                    try {
                        seen.addAndGet(consumer.poll(Duration.ofMillis(100)).count());
                    } catch (KafkaException e) {
                        failures.incrementAndGet();
                    }
                }
            }
        }

        /** Errors, and records that have not come a while after they were acknowledged. */
        long failures(long acknowledged) {
            for (int i = 0; i < PATIENCE_MS / 50 && seen.get() < acknowledged; i++) {
                Rig.pause(50);
            }
            return failures.get() + Math.max(0, acknowledged - seen.get());
        }

        @Override
        public void close() {
            closing = true;
        }
    }
}
