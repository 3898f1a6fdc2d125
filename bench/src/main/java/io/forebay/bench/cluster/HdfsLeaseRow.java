package io.forebay.bench.cluster;

import io.forebay.bench.peer.OpenedStore;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that writes a journal file to HDFS is killed in the middle; how long it takes until its successor, here this JVM, has put the tombstone and sealed the file, and
 * whether the end holds everything that was acknowledged. Then the same with a DataNode of the file's killed in the same moment; of three, each holds each file.
 */
final class HdfsLeaseRow implements ClusterRow {
    private static final int ACKNOWLEDGED_BEFORE = 200;
    private static final long LIMIT_SECONDS = 180;

    @Override
    public boolean once() {
        return true;
    }

    @Override
    public void run(Rig rig, int round) {
        try (HdfsSite hdfs = (HdfsSite) rig.store("hdfs");
                OpenedStore opened =
                        new OpenedStore(URI.create(hdfs.uri("lease")), hdfs.settings(), hdfs.environment())) {
            List<Double> times = new ArrayList<>();
            int tooShort = 0;
            int writers = rig.plan().writers();
            // The next one starts while the one before is sealed.
            Writer next = new Writer(rig, hdfs, 0);
            for (int i = 0; i < writers; i++) {
                try (Writer writer = next) {
                    next = new Writer(rig, hdfs, i + 1);
                    tooShort += kill(opened, writer, () -> {}, times) ? 0 : 1;
                }
            }
            rig.note("lease.runs", "hdfs", round, writers);
            rig.note("lease.p50", "hdfs", round, Numbers.percentile(times, 0.5));
            rig.note("lease.max", "hdfs", round, Numbers.percentile(times, 1));
            times.clear();
            for (int i = 0; i < rig.plan().nodeDeaths(); i++) {
                int index = i % hdfs.dataNodes().size();
                try (Writer writer = next) {
                    next = new Writer(rig, hdfs, writers + 1 + i);
                    tooShort += kill(
                                    opened,
                                    writer,
                                    () -> hdfs.dataNodes().get(index).kill(),
                                    times)
                            ? 0
                            : 1;
                }
                hdfs.startDataNode(index);
                Rig.pause(3_000);
            }
            next.close();
            rig.note("lease.short", "hdfs", round, tooShort);
            if (!times.isEmpty()) {
                rig.note("lease.node.p50", "hdfs", round, Numbers.percentile(times, 0.5));
                rig.note("lease.node.max", "hdfs", round, Numbers.percentile(times, 1));
            }
        }
    }

    /** Returns whether the end holds what was acknowledged; adds the time, in ms. */
    private static boolean kill(OpenedStore opened, Writer writer, Runnable more, List<Double> times) {
        writer.write(ACKNOWLEDGED_BEFORE);
        long killed = System.nanoTime();
        writer.kill();
        more.run();
        PutOutcome put = await(opened.store().putIfAbsent(writer.tombstone(), ByteBuffer.allocate(64)));
        long end = await(opened.store().seal(writer.file()));
        times.add((System.nanoTime() - killed) / 1e6);
        long acknowledged = writer.acknowledged();
        if (put != PutOutcome.WRITTEN || acknowledged == 0) {
            throw new IllegalStateException("the tombstone was " + put + ", acknowledged " + acknowledged);
        }
        return end >= acknowledged;
    }

    private static <T> T await(CompletableFuture<T> future) {
        T value = future.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
        if (value == null) {
            throw new IllegalStateException("no answer");
        }
        return value;
    }

    /** A process that appends until it is killed, from when it is told to. */
    private static final class Writer implements AutoCloseable {
        private final Rig rig;
        private final Process process;
        private final BufferedReader lines;
        private final ObjectKey file;
        private final ObjectKey tombstone;
        private long acknowledged;

        Writer(Rig rig, HdfsSite hdfs, int number) {
            this.rig = rig;
            this.file = ObjectKey.of("writer-%d/0".formatted(number));
            this.tombstone = ObjectKey.of("writer-%d/1".formatted(number));
            ProcessBuilder command = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx192m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FileWriterMain.class.getName(),
                    hdfs.uri("lease"),
                    file.value(),
                    tombstone.value());
            command.redirectError(rig.logs().resolve("writer.log").toFile());
            command.environment().putAll(Map.copyOf(hdfs.environment()));
            try {
                this.process = rig.children().start(command);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            this.lines = process.inputReader(StandardCharsets.UTF_8);
        }

        ObjectKey file() {
            return file;
        }

        ObjectKey tombstone() {
            return tombstone;
        }

        /** Lets it write; returns when so many appends were acknowledged. */
        void write(int appends) {
            try {
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
                for (int i = 0; i < appends; i++) {
                    String line = lines.readLine();
                    if (line == null) {
                        throw new IllegalStateException("the writer ended early: see writer.log");
                    }
                    acknowledged = Long.parseLong(line);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void kill() {
            rig.children().kill(process.toHandle());
        }

        /** The last position that it was told is durable, also what it said in its last moment; of a last line that is cut off nobody knows. */
        long acknowledged() {
            StringBuilder rest = new StringBuilder();
            try {
                for (int next = lines.read(); next >= 0; next = lines.read()) {
                    rest.append((char) next);
                }
            } catch (IOException e) {
                // What was read before the end of the pipe counts.
                rig.say("a writer's last words were cut off: " + e.getMessage());
            }
            String whole = rest.substring(0, rest.lastIndexOf("\n") + 1).strip();
            return whole.isEmpty() ? acknowledged : Long.parseLong(whole.substring(whole.lastIndexOf('\n') + 1));
        }

        @Override
        public void close() {
            kill();
        }
    }
}
