package io.forebay.bench.cluster;

import io.forebay.bench.load.ClientProcess;
import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.machine.QuietWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A producer and a consumer at the tail, and beside them after a while another consumer that reads old records from a disk whose cache was dropped. One node of Forebay on a
 * folder, one of Kafka, in turns while both run.
 */
final class CatchUpRow implements ClusterRow {
    private static final int BASE_PORT = 24_100;
    private static final int PARTITIONS = 16;
    private static final int RATE = 5_000;
    private static final long RECORDS_OF_MIB = 1 << 10;
    private static final double MIB = 1 << 20;
    private static final long LEAD_MS = 4_000;
    private static final int CATCH_UP_SECONDS = 14;
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final TopicSet OLD = new TopicSet("old", 1, PARTITIONS);
    private static final TopicSet TAIL = new TopicSet("tail", 1, PARTITIONS);

    @Override
    public boolean once() {
        return true;
    }

    /** One of the two that are compared. */
    private record Side(String id, String bootstrap, long pid, Path folder) {}

    @Override
    public void run(Rig rig, int ignored) {
        FolderSite folder = new FolderSite(rig.fresh("catch-up"));
        try (ClusterNodes nodes = new ClusterNodes(rig, folder, "catch-up", BASE_PORT, "1g", Map.of());
                KafkaNodes kafka = new KafkaNodes(rig, 1);
                ClientProcess tail = rig.client("tail-client");
                ClientProcess reader = rig.client("catch-up-client")) {
            kafka.start();
            nodes.startAll(1);
            List<Side> sides = List.of(
                    new Side("forebay", nodes.bootstrap(1), nodes.pid(1), folder.folder()),
                    new Side("kafka", kafka.bootstrap(), kafka.pids().get(0), kafka.folder()));
            for (Side side : sides) {
                fill(rig, reader, side);
                Line unused = call(tail, request(side, 2 * rig.plan().seconds()));
            }
            for (int round = 0; round < rig.plan().rounds(); round++) {
                for (int i = 0; i < sides.size(); i++) {
                    slice(rig, tail, reader, sides.get((i + round) % sides.size()), round);
                }
            }
        }
    }

    private static void fill(Rig rig, ClientProcess client, Side side) {
        rig.say("%s is filled with %d MiB".formatted(side.id(), rig.plan().catchUpMiB()));
        long records = rig.plan().catchUpMiB() * RECORDS_OF_MIB;
        Line produce = ClusterLoads.produce(side.bootstrap(), side.pid(), OLD, records);
        Line unusedTopic = call(client, new Line("create", produce.fields()));
        Line unusedRecords = call(client, produce);
        Line unusedTail = call(client, TAIL.addTo(new Line("create", produce.fields())));
    }

    private static Line request(Side side, int seconds) {
        return ClusterLoads.paced(side.bootstrap(), side.pid(), TAIL, RATE, seconds)
                .with("tail", true);
    }

    private static void slice(Rig rig, ClientProcess tail, ClientProcess reader, Side side, int round) {
        int aloneSeconds = rig.plan().seconds();
        dropCache(side.folder());
        QuietWatch watch = new QuietWatch();
        CompletableFuture<Line> paced =
                CompletableFuture.supplyAsync(() -> call(tail, request(side, aloneSeconds + CATCH_UP_SECONDS)));
        Rig.pause(LEAD_MS);
        long aloneFrom = System.nanoTime();
        Rig.pause((aloneSeconds - 2L) * 1_000);
        long from = System.nanoTime();
        Line read = call(
                reader,
                ClusterLoads.consume(
                        side.bootstrap(), side.pid(), OLD, rig.plan().catchUpMiB() * RECORDS_OF_MIB));
        Line unused = paced.join();
        boolean quiet = watch.quiet();
        double seconds = read.decimal("wall");
        if (seconds > CATCH_UP_SECONDS - 2) {
            rig.say("the catch-up took longer than the tail: only its first %d s count".formatted(CATCH_UP_SECONDS));
        }
        double alone = p99(tail, aloneFrom, from);
        double beside = p99(tail, from, from + (long) (seconds * 1e9));
        rig.note("tail.p99.alone", side.id(), round, alone, quiet);
        rig.note("tail.p99.beside", side.id(), round, beside, quiet);
        rig.note("tail.catchup", side.id(), round, read.number("bytes") / MIB / seconds, quiet);
        rig.note("tail.ratio", side.id(), round, beside / alone, quiet);
    }

    private static double p99(ClientProcess tail, long from, long to) {
        return call(tail, Line.of("window").with("from", from).with("to", to)).decimal("p99");
    }

    private static Line call(ClientProcess client, Line request) {
        return ClusterLoads.call(client, request, LIMIT);
    }

    /** Has the system write what it has of these files and forget it. */
    private static void dropCache(Path folder) {
        run(List.of("sync"));
        List<Path> files = new ArrayList<>();
        try (Stream<Path> tree = Files.walk(folder)) {
            tree.filter(Files::isRegularFile).forEach(files::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (Path file : files) {
            if (Files.exists(file)) {
                run(List.of("dd", "if=" + file, "iflag=nocache", "count=0", "status=none"));
            }
        }
    }

    private static void run(List<String> command) {
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(command.get(0) + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
