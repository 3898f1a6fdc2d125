package io.forebay.conformance.harness;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another process will do some time soon. */
public final class Eventually {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private Eventually() {}

    /** A statement that fails by throwing. */
    @FunctionalInterface
    public interface Statement {
        /** Throws unless the statement holds. */
        void check() throws Exception;
    }

    /** Repeats {@code statement} until it holds; after 30 s its last failure is the test's. */
    public static void holds(Statement statement) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            try {
                statement.check();
                return;
            } catch (Exception | AssertionError failure) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("does not hold after " + LIMIT + ": " + failure.getMessage(), failure);
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Repeats {@code condition} until it is true. */
    public static void isTrue(String what, Callable<Boolean> condition) {
        holds(() -> {
            if (!condition.call()) {
                throw new AssertionError(what);
            }
        });
    }
}
