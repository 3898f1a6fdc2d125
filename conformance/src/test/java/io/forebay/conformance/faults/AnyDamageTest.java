package io.forebay.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.ForebayProcess;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * One byte changes in one object of each kind that a store holds. Whatever it is: the server either refuses to start and
 * names the object, or serves no wrong record, and tells of the object if any record cannot be read. It never hangs between.
 */
class AnyDamageTest {

    private static final String TOPIC = "any";
    private static final int RECORDS = 200;
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int IDLE_POLLS = 4;
    /** Servers that live for a second or two are not worth compiling well. */
    private static final List<String> SHORT_LIFE = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final long SEED = 20_261_130;
    private static final Pattern NUMBERS = Pattern.compile("[0-9a-f]{8,}|[0-9]+");

    @Test
    void noDamageGoesUnnoticed() throws Exception {
        Assumptions.assumeTrue(
                Settings.foreignBootstrap().isEmpty()
                        && Settings.serverCommand().isEmpty(),
                "is about Forebay's folder");
        Path intact = BrokerExtension.freshFolder("AnyDamageTest-intact");
        fill(intact);
        Random random = new Random(SEED);
        List<String> outcomes = new ArrayList<>();
        for (Path object : oneOfEachKind(intact)) {
            outcomes.add(object + ": " + outcomeOfDamageTo(object, intact, random));
        }

        assertThat(outcomes)
                .hasSizeGreaterThan(3)
                .allSatisfy(outcome -> assertThat(outcome).doesNotContain("WRONG"));
    }

    private static void fill(Path store) throws ExecutionException, InterruptedException {
        Map<String, String> settings = Map.of("shard.flush.bytes", "64KiB", "journal.file.bytes", "2MiB");
        try (ForebayProcess server = new ForebayProcess("AnyDamageTest-intact", store, settings, SHORT_LIFE)) {
            server.start();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrap()))) {
                admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(1), Optional.empty())))
                        .all()
                        .get();
            }
            produce(server, 0, RECORDS / 2);
            server.kill();
            server.start();
            produce(server, RECORDS / 2, RECORDS);
            server.kill();
        }
    }

    private static void produce(ForebayProcess server, int from, int to)
            throws ExecutionException, InterruptedException {
        Map<String, Object> settings = Map.of("bootstrap.servers", server.bootstrap(), "linger.ms", 0);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int i = from; i < to; i++) {
                var unused = producer.send(new ProducerRecord<>(TOPIC, 0, "key", value(i)))
                        .get();
            }
        }
    }

    private static String value(long offset) {
        return "value " + offset + "-".repeat(1_000);
    }

    /** The largest file of each kind; a kind is a path without its numbers. */
    private static List<Path> oneOfEachKind(Path store) throws IOException {
        Map<String, Path> kinds = new LinkedHashMap<>();
        try (Stream<Path> tree = Files.walk(store)) {
            tree.filter(Files::isRegularFile)
                    .filter(file -> size(file) > 0 && size(file) < 8 << 20)
                    .sorted(Comparator.comparingLong(AnyDamageTest::size)
                            .reversed()
                            .thenComparing(path -> path))
                    .map(store::relativize)
                    .forEach(path ->
                            kinds.putIfAbsent(NUMBERS.matcher(path.toString()).replaceAll("N"), path));
        }
        return List.copyOf(kinds.values());
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String outcomeOfDamageTo(Path object, Path intact, Random random) throws IOException {
        String name = "AnyDamageTest-" + object.toString().replace('/', '_');
        Path store = BrokerExtension.freshFolder(name);
        copy(intact, store);
        byte[] bytes = Files.readAllBytes(store.resolve(object));
        int position = random.nextInt(bytes.length);
        bytes[position] = (byte) (bytes[position] ^ (1 << random.nextInt(8)));
        Files.write(store.resolve(object), bytes);
        try (ForebayProcess server = new ForebayProcess(name, store, Map.of(), SHORT_LIFE)) {
            try {
                server.start();
            } catch (AssertionError refused) {
                int unused = server.awaitEnd(END_LIMIT);
                return server.log().contains(object.getFileName().toString())
                        ? "refused at position " + position + ", and named"
                        : "WRONG: refused at position " + position + " without its name\n" + server.logTail();
            }
            String outcome = readThrough(server, object, position);
            server.kill(); // how it ends proves nothing here
            return outcome;
        }
    }

    private static String readThrough(ForebayProcess server, Path object, int position) {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", server.bootstrap()));
        settings.put("default.api.timeout.ms", 10_000);
        long next = 0;
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, 0);
            for (int idle = 0; next < RECORDS && idle < IDLE_POLLS; idle++) {
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    if (record.offset() != next || !record.value().equals(value(next))) {
                        return "WRONG record at offset " + record.offset() + ", position " + position;
                    }
                    next++;
                    idle = 0;
                }
            }
        } catch (KafkaException e) {
            return named(server, object)
                    ? "an error, and named: " + e
                    : "WRONG: not named: " + e + "\n" + server.logTail();
        }
        if (next == RECORDS) {
            return "all records read";
        }
        return named(server, object)
                ? "no more from " + next + ", and named"
                : "WRONG: stuck at " + next + ", not named\n" + server.logTail();
    }

    private static boolean named(ForebayProcess server, Path object) {
        return server.log().contains(object.getFileName().toString());
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> tree;
        try (Stream<Path> walk = Files.walk(from)) {
            tree = walk.toList();
        }
        for (Path source : tree) {
            Path target = to.resolve(from.relativize(source).toString());
            if (Files.isDirectory(source)) {
                Files.createDirectories(target);
            } else {
                Files.copy(source, target);
            }
        }
    }
}
