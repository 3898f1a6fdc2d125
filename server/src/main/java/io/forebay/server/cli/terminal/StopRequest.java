package io.forebay.server.cli.terminal;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a stop signal end a command in order: the signal waits until the command has written its last word, which it
 * tells by {@link #close()}. Thread-safe.
 */
public final class StopRequest implements AutoCloseable {
    private static final long MAX_WAIT_SECONDS = 7;

    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean requested;
    private volatile Runnable wake = () -> {};

    public StopRequest(StopSignal signal) {
        signal.onStop(this::stop);
    }

    /**
     * Says how to end a wait.
     *
     * @param action ends a wait that the command may be in; called on the signal's thread, at once if the signal has
     *     come already
     */
    public void wakeWith(Runnable action) {
        wake = action;
        if (requested) {
            action.run();
        }
    }

    public boolean requested() {
        return requested;
    }

    /** The command has nothing more to do: the signal need not wait. */
    public void lastWordSaid() {
        finished.countDown();
    }

    @Override
    public void close() {
        lastWordSaid();
    }

    private void stop() {
        requested = true;
        wake.run();
        try {
            if (!finished.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the command did not end in " + MAX_WAIT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
