package io.forebay.server;

import io.forebay.server.cli.terminal.StopSignal;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * SIGTERM and SIGINT, as the JVM's shutdown hook. A stop that ends in time makes the process exit with 0, one that
 * does not with 1; without this the JVM would report 143 for a clean stop.
 */
final class ProcessStopSignal implements StopSignal {
    /** A supervisor commonly kills after 10 s; the store is safe at any moment, so waiting longer gains nothing. */
    private static final long STOP_DEADLINE_MS = 8_000;

    private final AtomicBoolean commandEnded = new AtomicBoolean();

    @Override
    public void onStop(Runnable stop) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            if (!commandEnded.get()) {
                                stopAndHalt(stop);
                            }
                        },
                        "forebay-stop"));
    }

    /** From now on the process ends by itself and the hook keeps out of it. */
    void commandEnded() {
        commandEnded.set(true);
    }

    private static void stopAndHalt(Runnable stop) {
        AtomicBoolean clean = new AtomicBoolean();
        Thread worker = new Thread(
                () -> {
                    stop.run();
                    clean.set(true);
                },
                "forebay-stopping");
        worker.setDaemon(true);
        worker.start();
        try {
            worker.join(STOP_DEADLINE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(clean.get() ? 0 : 1);
    }
}
