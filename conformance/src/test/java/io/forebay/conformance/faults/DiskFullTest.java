package io.forebay.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.Eventually;
import io.forebay.conformance.harness.ForebayProcess;
import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.KeyedText;
import io.forebay.conformance.harness.PackageText;
import io.forebay.conformance.harness.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The disk runs full under a running stream and has room again later: nothing is lost and nobody restarts anything. */
class DiskFullTest {

    private static final int DISK_MEBIBYTES = 128;
    private static final int STREAM_BYTES = 8 << 20;
    private static final String TOPIC = "full";
    private static final Map<String, String> SMALL_FILES =
            Map.of("journal.file.bytes", "4MiB", "store.local.reserve.bytes", "8MiB", "shard.flush.bytes", "1MiB");

    @Test
    void serviceStopsAndResumesWithoutARestart() throws Exception {
        Assumptions.assumeTrue(Settings.foreignBootstrap().isEmpty(), "needs to own the server process");
        List<KeyedRecord> records = PackageText.first(STREAM_BYTES);
        try (SmallDisk disk = SmallDisk.mount("full", DISK_MEBIBYTES);
                ForebayProcess server =
                        new ForebayProcess("DiskFullTest", disk.folder().resolve("store"), SMALL_FILES)) {
            server.start();
            long pid = server.pid();
            createTopic(server);
            AckedProducer producer =
                    new AckedProducer(server.bootstrap(), TOPIC, records, Map.of("compression.type", "none")).start();
            Eventually.isTrue("a quarter acknowledged", () -> producer.acknowledged() > records.size() / 4);

            disk.fill();
            int stalledAt = awaitStall(producer);
            assertThat(stalledAt).as("the disk ran full in the middle").isLessThan(records.size());
            assertThat(failureOfASingleTry(server)).isInstanceOf(RetriableException.class);

            disk.empty();
            producer.finish();
            assertThat(server.pid()).as("the same process").isEqualTo(pid);
            assertThat(server.log()).containsIgnoringCase("full");
            assertAllThere(server, records, producer);

            server.kill();
            server.start();
            assertAllThere(server, records, producer);
        }
    }

    private static void createTopic(ForebayProcess server) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(2), Optional.empty())))
                    .all()
                    .get();
        }
    }

    /** Waits until nothing has been acknowledged for two seconds. */
    private static int awaitStall(AckedProducer producer) {
        int before = -1;
        int now = producer.acknowledged();
        while (now != before) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            before = now;
            now = producer.acknowledged();
        }
        return now;
    }

    private static Throwable failureOfASingleTry(ForebayProcess server) throws InterruptedException {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", server.bootstrap(),
                "enable.idempotence", false,
                "retries", 0,
                "max.block.ms", 5_000,
                "request.timeout.ms", 5_000,
                "delivery.timeout.ms", 6_000,
                "linger.ms", 0);
        try (KafkaProducer<byte[], byte[]> single =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            single.send(new ProducerRecord<>(TOPIC, new byte[100_000])).get();
            return new AssertionError("it was acknowledged on a full disk");
        } catch (ExecutionException e) {
            return e.getCause() == null ? e : e.getCause();
        }
    }

    private static void assertAllThere(ForebayProcess server, List<KeyedRecord> records, AckedProducer producer) {
        SeenRecords seen = new SeenRecords();
        try (CommittingReader reader = new CommittingReader(server.bootstrap(), TOPIC, "classic", seen)) {
            reader.readToEnd();
        }
        producer.assertAllIn(seen);
        KeyedText.of(records).assertSame(seen.text());
    }
}
