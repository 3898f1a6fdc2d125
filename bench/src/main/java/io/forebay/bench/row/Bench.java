package io.forebay.bench.row;

import io.forebay.bench.load.ClientProcess;
import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import io.forebay.bench.report.Samples;
import io.forebay.bench.target.Children;
import io.forebay.bench.target.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What every row works with: the targets, a folder, the samples, and one client process that is started when first
 * needed and replaced when it died. Owned by the thread that runs the rows.
 */
public final class Bench implements AutoCloseable {
    /** No load of a sensible size takes longer. */
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Plan plan;
    private final List<Target> targets;
    private final Path work;
    private final Children children;
    private final Samples samples;
    private final Optional<Profiler> profiler;
    private final long begin = System.nanoTime();
    private Optional<ClientProcess> client = Optional.empty();

    public Bench(
            Plan plan,
            List<Target> targets,
            Path work,
            Children children,
            Samples samples,
            Optional<Profiler> profiler) {
        this.plan = plan;
        this.targets = List.copyOf(targets);
        this.work = work;
        this.children = children;
        this.samples = samples;
        this.profiler = profiler;
    }

    Plan plan() {
        return plan;
    }

    Samples samples() {
        return samples;
    }

    Path work() {
        return work;
    }

    /** One line of progress on standard error. */
    public void say(String text) {
        long seconds = (System.nanoTime() - begin) / 1_000_000_000L;
        System.err.printf(Locale.ROOT, "%3d:%02d  %s%n", seconds / 60, seconds % 60, text);
    }

    /** A site of each target, none of them started, on empty folders. */
    Sites sites(String row) {
        List<Site> sites = new ArrayList<>();
        for (Target target : targets) {
            Path data = work.resolve(row + "-" + target.id());
            delete(data);
            sites.add(new Site(target, data, logs().resolve(row + "-" + target.id() + ".log")));
        }
        return new Sites(sites);
    }

    /** Runs one load on a site; a failure names the site and where its log is. */
    Line call(Site site, Line request) {
        Line full = request.with("bootstrap", site.target().bootstrap());
        try {
            return client().call(full, LIMIT);
        } catch (RuntimeException e) {
            dropClient();
            String state = site.alive() ? "" : " (the server has ended)";
            throw new IllegalStateException(site.id() + ": " + e.getMessage() + state + ", see " + site.log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Waits until a server that was just started serves a topic that exists; seconds since the given moment. */
    double awaitReady(Site site, TopicSet topics, long since) {
        Line answer = call(site, topics.addTo(Line.of("ready")));
        return (System.nanoTime() - since) / 1e9 - answer.decimal("closing");
    }

    /** Creates topics, waiting for the server if it is still starting; seconds until each has acknowledged a record. */
    double create(Site site, TopicSet topics) {
        double created = call(site, topics.addTo(Line.of("create"))).decimal("created");
        return created + call(site, topics.addTo(Line.of("mark"))).decimal("written");
    }

    /** As {@link #create}, where nobody asks how long it took. */
    void prepare(Site site, TopicSet topics) {
        double unused = create(site, topics);
    }

    /** Runs a load of which only the effect is wanted. */
    void load(Site site, Line request) {
        Line unused = call(site, request.with("server", site.pid()));
    }

    void delete(Site site, TopicSet topics) {
        load(site, topics.addTo(Line.of("delete")));
    }

    /** Runs a load, under the profiler if one was asked for and this is the last round. */
    Line measure(Site site, Line request, String name, boolean lastRound) {
        beginProfile(site, lastRound);
        Line answer = call(site, request.with("server", site.pid()));
        endProfile(site, name, lastRound);
        return answer;
    }

    /** Profiles a server from now on, if profiles were asked for and this is the last round. */
    void beginProfile(Site site, boolean lastRound) {
        if (lastRound) {
            profiler.ifPresent(p -> p.start(site.pid()));
        }
    }

    /** Ends what {@link #beginProfile} began and writes it down. */
    void endProfile(Site site, String name, boolean lastRound) {
        if (lastRound) {
            profiler.ifPresent(p -> p.stop(site.pid(), name + "-" + site.id()));
        }
    }

    @Override
    public void close() {
        dropClient();
        delete(work);
    }

    /** Deletes a folder with everything in it, if it is there. */
    public static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClientProcess client() {
        if (client.isEmpty()) {
            try {
                client = Optional.of(ClientProcess.start(children, logs().resolve("client.log")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return client.get();
    }

    private void dropClient() {
        client.ifPresent(ClientProcess::close);
        client = Optional.empty();
    }

    /** Logs outlive the data, so that a failure can be looked into. */
    private Path logs() {
        try {
            return Files.createDirectories(work.resolveSibling("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
