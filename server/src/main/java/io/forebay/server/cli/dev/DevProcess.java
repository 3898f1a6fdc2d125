package io.forebay.server.cli.dev;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** One node of a throw-away cluster: its process, and what it says, with its number in front. Thread-safe. */
final class DevProcess {

    private static final String READY = "forebay ready on ";
    /** Less than the time that a stop signal may take. */
    private static final long STOP_MS = 6_000;

    private final int id;
    private final Process process;
    private final PrintStream out;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean stopping;

    private DevProcess(int id, Process process, PrintStream out) {
        this.id = id;
        this.process = process;
        this.out = out;
    }

    static DevProcess start(int id, List<String> command, PrintStream out) throws IOException {
        DevProcess started = new DevProcess(id, new ProcessBuilder(command).start(), out);
        Thread errors = started.reader(started.process.getErrorStream(), started::say);
        started.reader(started.process.getInputStream(), started::take).start();
        errors.start();
        Thread end = new Thread(() -> started.follow(errors), "dev-node-" + id);
        end.setDaemon(true);
        end.start();
        return started;
    }

    private Thread reader(InputStream stream, Consumer<String> each) {
        Thread thread = new Thread(
                () -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            each.accept(line);
                        }
                    } catch (IOException ended) {
                        // the process has closed it
                    }
                },
                "dev-node-" + id);
        thread.setDaemon(true);
        return thread;
    }

    private void take(String line) {
        if (line.startsWith(READY)) {
            ready.complete(null);
        }
        say(line);
    }

    private void say(String line) {
        out.println("[" + id + "] " + line);
    }

    private void follow(Thread errors) {
        try {
            int code = process.waitFor();
            errors.join(STOP_MS);
            ready.completeExceptionally(new IOException("ended with code " + code));
            if (!stopping) {
                say("ended with code " + code);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            over.countDown();
        }
    }

    int id() {
        return id;
    }

    /** Completes when it serves; fails when it has ended before. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Waits until it has ended and that was said. */
    void awaitEnd() throws InterruptedException {
        over.await();
    }

    /** Tells it to stop, and does not wait. */
    void stop() {
        stopping = true;
        process.destroy();
    }

    /** Waits until it has stopped, for some seconds, then ends it. */
    void end() {
        try {
            if (!process.waitFor(STOP_MS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
