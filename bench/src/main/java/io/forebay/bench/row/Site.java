package io.forebay.bench.row;

import io.forebay.bench.target.Running;
import io.forebay.bench.target.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;

/** A target on a data folder of its own, running or not. Closing ends it and deletes its data. */
final class Site implements AutoCloseable {
    private final Target target;
    private final Path data;
    private final Path log;
    private Optional<Running> running = Optional.empty();

    Site(Target target, Path data, Path log) {
        this.target = target;
        this.data = data;
        this.log = log;
    }

    Target target() {
        return target;
    }

    String id() {
        return target.id();
    }

    /** Starts the process; returns before it serves. */
    void start() {
        try {
            running = Optional.of(target.start(data, log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    long pid() {
        return run().pid();
    }

    boolean alive() {
        return running.map(Running::alive).orElse(false);
    }

    /** Where the process writes what it has to say. */
    Path log() {
        return log;
    }

    void kill() {
        try {
            run().kill();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        running = Optional.empty();
    }

    /** Ends the process in its orderly way, if it runs. */
    void stop() {
        try {
            if (running.isPresent()) {
                run().stop();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        running = Optional.empty();
    }

    @Override
    public void close() {
        // Nothing is read from this folder again, so nothing is gained by waiting for an orderly end.
        if (running.isPresent()) {
            kill();
        }
        Bench.delete(data);
    }

    private Running run() {
        return running.orElseThrow(() -> new IllegalStateException(id() + " is not running"));
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }
}
