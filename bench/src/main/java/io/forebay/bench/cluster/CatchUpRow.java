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

    /** What the consumer that catches up gets of the processors. */
    private enum Share {
        /** As much as everybody else, as on a machine that it shares with the server. */
        EQUAL("tail", "-o"),
        /** Only what nobody else wants, so that what is left is what the server does for it, as if it ran on a machine of its own. */
        IDLE("tail.idle", "-i");

        private final String metric;
        private final String policy;

        Share(String metric, String policy) {
            this.metric = metric;
            this.policy = policy;
        }

        void giveTo(long pid) {
            CatchUpRow.run(List.of("chrt", "-a", policy, "-p", "0", Long.toString(pid)));
        }
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
                Line unusedWarmth = call(reader, catchUp(rig, side));
            }
            for (int round = 0; round < rig.plan().rounds(); round++) {
                for (Share share : Share.values()) {
                    share.giveTo(reader.pid());
                    for (int i = 0; i < sides.size(); i++) {
                        slice(rig, tail, reader, sides.get((i + round) % sides.size()), round, share);
                    }
                }
            }
        }
    }

    private static void fill(Rig rig, ClientProcess client, Side side) {
        rig.say("%s is filled with %d MiB".formatted(side.id(), rig.plan().catchUpMiB()));
        long records = rig.plan().catchUpMiB() * RECORDS_OF_MIB;
        Line produce = ClusterLoads.produce(side.bootstrap(), side.pid(), OLD, records);
        for (TopicSet topics : List.of(OLD, TAIL)) {
            Line made = topics.addTo(new Line("create", produce.fields()));
            Line unusedTopic = call(client, made);
            // Alone in each partition: what is sent to a partition that has no leader yet may overtake what is sent
            // again, and Kafka refuses that for good.
            Line unusedMark = call(client, new Line("mark", made.fields()));
        }
        Line unusedRecords = call(client, produce);
    }

    private static Line request(Side side, int seconds) {
        return ClusterLoads.paced(side.bootstrap(), side.pid(), TAIL, RATE, seconds)
                .with("tail", true);
    }

    private static Line catchUp(Rig rig, Side side) {
        return ClusterLoads.consume(
                side.bootstrap(), side.pid(), OLD, OLD.total() + rig.plan().catchUpMiB() * RECORDS_OF_MIB);
    }

    private static void slice(Rig rig, ClientProcess tail, ClientProcess reader, Side side, int round, Share share) {
        int aloneSeconds = rig.plan().seconds();
        dropCache(side.folder());
        QuietWatch watch = new QuietWatch();
        CompletableFuture<Line> paced =
                CompletableFuture.supplyAsync(() -> call(tail, request(side, aloneSeconds + CATCH_UP_SECONDS)));
        Rig.pause(LEAD_MS);
        long aloneFrom = System.nanoTime();
        Rig.pause((aloneSeconds - 2L) * 1_000);
        long from = System.nanoTime();
        rig.say("%s is read from the beginning".formatted(side.id()));
        Line read = call(reader, catchUp(rig, side));
        Line unused = paced.join();
        boolean quiet = watch.quiet();
        double seconds = read.decimal("wall");
        if (seconds > CATCH_UP_SECONDS - 2) {
            rig.say("the catch-up took longer than the tail: only its first %d s count".formatted(CATCH_UP_SECONDS));
        }
        double alone = p99(tail, aloneFrom, from);
        double beside = p99(tail, from, from + (long) (seconds * 1e9));
        rig.note(share.metric + ".p99.alone", side.id(), round, alone, quiet);
        rig.note(share.metric + ".p99.beside", side.id(), round, beside, quiet);
        rig.note(share.metric + ".catchup", side.id(), round, read.number("bytes") / MIB / seconds, quiet);
        rig.note(share.metric + ".ratio", side.id(), round, beside / alone, quiet);
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
