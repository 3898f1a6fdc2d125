package io.forebay.bench.target;

import java.io.IOException;
import java.nio.file.Path;

/** A system under load. Implementations hold settings only; a run of it is a {@link Running}. */
public interface Target {
    /** Short name on the command line and in raw figures. */
    String id();

    /** Name in tables. */
    String label();

    /** Address for clients, {@code HOST:PORT}. */
    String bootstrap();

    /** What was started and how, for the report, without paths of this machine. */
    String flags();

    /**
     * Starts a process on a data folder, which may be missing or left behind by an earlier run, and returns at once.
     * What the process prints is appended to a file.
     */
    Running start(Path data, Path log) throws IOException, InterruptedException;
}
