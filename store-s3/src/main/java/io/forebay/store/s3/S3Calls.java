package io.forebay.store.s3;

import io.forebay.model.Retry;
import io.forebay.store.StoreException;
import io.forebay.store.StorePorts;
import io.forebay.store.s3.S3Failure.Meaning;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * Sends requests: through a gate, on the executor, again after a pause if that may help. Thread-safe.
 *
 * <p>The SDK is told to repeat nothing itself. Pauses double from {@value #FIRST_PAUSE_MS} ms to {@value #LONGEST_PAUSE_MS} ms, each
 * cut by chance to between half of it and all of it, so that nodes which were refused together do not come back together.
 */
final class S3Calls {

    private static final long FIRST_PAUSE_MS = 50;
    private static final long LONGEST_PAUSE_MS = 2_000;

    private final StorePorts ports;
    private final S3Config config;
    private final S3Answers answers;

    S3Calls(StorePorts ports, S3Config config) {
        this.ports = ports;
        this.config = config;
        this.answers = new S3Answers(config);
    }

    /**
     * Sends a request until it is granted, refused for good, or was sent often enough. For requests that may take effect twice
     * without harm, or that know what they did before.
     *
     * @param action what is tried, for messages: "read 'a/b'"
     * @param request sends it once; may block a little
     * @return completes on the executor; fails with an {@link S3Failure}
     */
    <T> CompletableFuture<T> repeat(RequestGate gate, String action, Supplier<CompletableFuture<T>> request) {
        CompletableFuture<T> onLoop = Retry.on(ports.timers(), () -> once(gate, action, request), this::pauseMs);
        CompletableFuture<T> result = new CompletableFuture<>();
        var unused = onLoop.whenComplete((value, thrown) -> {
            Runnable completion = () -> {
                if (thrown == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(answers.meaningOf(thrown, action));
                }
            };
            try {
                ports.io().execute(completion);
            } catch (RejectedExecutionException ending) {
                completion.run();
            }
        });
        return result;
    }

    private long pauseMs(Throwable cause, int failures) {
        if (!(cause instanceof S3Failure failure) || !failure.passing() || failures >= config.tries()) {
            return Retry.GIVE_UP;
        }
        long pause = Retry.doubling(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
        synchronized (ports.chance()) {
            return pause / 2 + ports.chance().nextLong(pause / 2 + 1);
        }
    }

    private <T> CompletableFuture<T> once(RequestGate gate, String action, Supplier<CompletableFuture<T>> request) {
        return gate.enter()
                .thenComposeAsync(
                        turn -> {
                            CompletableFuture<T> sent;
                            try {
                                sent = request.get();
                            } catch (RuntimeException e) {
                                sent = CompletableFuture.failedFuture(e);
                            }
                            return sent.handle((value, thrown) -> {
                                S3Failure failure = thrown == null ? null : answers.meaningOf(thrown, action);
                                gate.leave(failure != null && failure.meaning() == Meaning.THROTTLED);
                                if (failure != null) {
                                    throw failure;
                                }
                                answers.granted();
                                return value;
                            });
                        },
                        ports.io());
    }

    S3Failure meaningOf(Throwable thrown, String action) {
        return answers.meaningOf(thrown, action);
    }

    /** The same future, with failures as callers of the store get them. */
    static <T> CompletableFuture<T> forCallers(CompletableFuture<T> future) {
        CompletableFuture<T> result = new CompletableFuture<>();
        var unused = future.whenComplete((value, thrown) -> {
            if (thrown == null) {
                result.complete(value);
                return;
            }
            Throwable cause = Retry.unwrap(thrown);
            result.completeExceptionally(
                    cause instanceof S3Failure failure
                            ? failure.toStoreException()
                            : cause instanceof StoreException
                                    ? cause
                                    : new StoreException(
                                            StoreException.Kind.UNAVAILABLE,
                                            String.valueOf(cause.getMessage()),
                                            cause));
        });
        return result;
    }

    /** 128 random bits in hexadecimal: names one call among all of all processes. */
    String token() {
        synchronized (ports.chance()) {
            return String.format(
                    "%016x%016x", ports.chance().nextLong(), ports.chance().nextLong());
        }
    }
}
