package io.forebay.bench.cluster;

import io.forebay.bench.load.ClientProcess;
import io.forebay.bench.machine.QuietWatch;
import io.forebay.bench.peer.PeerClassPath;
import io.forebay.bench.peer.PeerHome;
import io.forebay.bench.report.Sample;
import io.forebay.bench.report.Samples;
import io.forebay.bench.target.Children;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What every row works with. Owned by the thread that runs the rows. */
final class Rig {
    private final Path root;
    private final Path work;
    private final Children children;
    private final Samples samples;
    private final ClusterPlan plan;
    private final long begin = System.nanoTime();
    private int stores;

    Rig(Path root, Path work, Children children, Samples samples, ClusterPlan plan) {
        this.root = root;
        this.work = work;
        this.children = children;
        this.samples = samples;
        this.plan = plan;
    }

    ClusterPlan plan() {
        return plan;
    }

    Children children() {
        return children;
    }

    Path launcher() {
        return root.resolve("bin/forebay");
    }

    /** Class path of Kafka's broker. */
    String kafkaClassPath() {
        try {
            return Files.readString(root.resolve("bench/target/kafka.classpath"))
                    .trim();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A folder that is not there yet, deleted at the end of the run. */
    Path fresh(String name) {
        return work.resolve(name + "-" + ++stores);
    }

    /** Logs outlive the data, so that a failure can be looked into. */
    Path logs() {
        try {
            return Files.createDirectories(work.resolveSibling("cluster-log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A started store of a kind, empty. */
    StoreSite store(String kind) {
        StoreSite site = switch (kind) {
            case "folder" -> new FolderSite(fresh("folder"));
            case "hdfs" -> new HdfsSite(home("hdfs"));
            case "s3" -> new S3Site(home("s3"));
            default -> throw new IllegalArgumentException("no store is called '" + kind + "'");
        };
        try {
            site.start();
        } catch (RuntimeException | AssertionError e) {
            site.close();
            throw e;
        }
        return site;
    }

    private PeerHome home(String kind) {
        try {
            Path folder = Files.createDirectories(fresh(kind));
            String classPath =
                    PeerClassPath.of(root.resolve("store-" + kind + "/target/quick/test.classpath"), loggers());
            return new PeerHome(folder, logs(), classPath, List.of("-XX:+UseG1GC"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A class path with the logger that Forebay brings. */
    private Path loggers() throws IOException {
        try (Stream<Path> jars = Files.list(root.resolve("target/forebay/current/lib"))) {
            String path = jars.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
            return Files.writeString(work.resolve("server.classpath"), path);
        }
    }

    /** A new client; the caller closes it. */
    ClientProcess client(String name) {
        try {
            return ClientProcess.start(children, logs().resolve(name + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a figure whose worth does not depend on a quiet machine. */
    void note(String metric, String target, int round, double value) {
        note(metric, target, round, value, true);
    }

    /** Adds a figure. */
    void note(String metric, String target, int round, double value, boolean quiet) {
        samples.add(new Sample(metric, target, round, value, quiet));
        say("%-8s %s = %.2f%s".formatted(target, metric, value, quiet ? "" : " (noisy)"));
    }

    /** Adds a figure that was taken while a watch looked on. */
    void note(String metric, String target, int round, double value, QuietWatch watch) {
        note(metric, target, round, value, watch.quiet());
    }

    /** One line of progress on standard error. */
    void say(String text) {
        long seconds = (System.nanoTime() - begin) / 1_000_000_000L;
        System.err.printf(Locale.ROOT, "%3d:%02d  %s%n", seconds / 60, seconds % 60, text);
    }

    /** Lets some time pass. */
    static void pause(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        for (long left = ms * 1_000_000; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
