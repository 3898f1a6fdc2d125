package io.forebay.store.s3;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How many requests of one kind are under way: fewer when the store says that it is too much, slowly more again when it is content.
 * Who comes when it is full waits; that is the back-pressure. Thread-safe.
 *
 * <p>The limit is halved when the store throttles, at most once for as many answers as were under way then, because those all tell
 * of the same moment; it grows by one when as many requests as it allows were granted.
 */
final class RequestGate {

    /** What waits is bounded by those who ask (journal, flushes, merges, readers): more than this is a fault of theirs. */
    static final int MAX_WAITING = 20_000;

    private final Object lock = new Object();
    private final int highest;
    /** Guarded by {@link #lock}, like all below. */
    private final Queue<CompletableFuture<Void>> waiting = new ArrayDeque<>();

    private int limit;
    private int underWay;
    private int granted;
    /** Answers that tell of the time before the limit was halved. */
    private int stale;

    RequestGate(int highest) {
        this.highest = highest;
        this.limit = highest;
    }

    /** Completes when the request may go, on the thread of a caller of {@link #leave} or at once; fails if too many wait. */
    CompletableFuture<Void> enter() {
        synchronized (lock) {
            if (underWay < limit) {
                underWay++;
                return CompletableFuture.completedFuture(null);
            }
            if (waiting.size() == MAX_WAITING) {
                return CompletableFuture.failedFuture(
                        new IllegalStateException(MAX_WAITING + " requests wait for the store already"));
            }
            CompletableFuture<Void> turn = new CompletableFuture<>();
            waiting.add(turn);
            return turn;
        }
    }

    /** A request that entered was answered, or not. */
    void leave(boolean throttled) {
        synchronized (lock) {
            underWay--;
            if (stale > 0) {
                stale--;
            } else if (throttled) {
                limit = Math.max(1, limit / 2);
                stale = underWay;
                granted = 0;
            } else if (++granted >= limit) {
                granted = 0;
                limit = Math.min(highest, limit + 1);
            }
        }
        CompletableFuture<Void> next = next();
        while (next != null) {
            next.complete(null);
            next = next();
        }
    }

    private @Nullable CompletableFuture<Void> next() {
        synchronized (lock) {
            CompletableFuture<Void> turn = underWay < limit ? waiting.poll() : null;
            if (turn != null) {
                underWay++;
            }
            return turn;
        }
    }

    int limit() {
        synchronized (lock) {
            return limit;
        }
    }
}
