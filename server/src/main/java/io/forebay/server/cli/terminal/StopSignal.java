package io.forebay.server.cli.terminal;

/** Tells a running command that it should end: SIGTERM in a process, a call in a test. */
@FunctionalInterface
public interface StopSignal {

    /** Remembers what to do when the signal comes; it is run at most once, on a thread of the signal's. */
    void onStop(Runnable stop);
}
