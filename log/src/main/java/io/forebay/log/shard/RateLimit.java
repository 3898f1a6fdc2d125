package io.forebay.log.shard;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import java.util.concurrent.CompletableFuture;

/** Spreads bytes over time: who asks for some waits until those asked for before have had theirs. Any thread; owned by a loop. */
public final class RateLimit {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final Loop loop;
    private final Clock clock;
    private final long bytesPerSecond;
    private long freeAtNanos;

    public RateLimit(Loop loop, Clock clock, long bytesPerSecond) {
        this.loop = loop;
        this.clock = clock;
        this.bytesPerSecond = bytesPerSecond;
        this.freeAtNanos = clock.nanos();
    }

    /** Completes when so many bytes may be used. */
    CompletableFuture<Void> take(long bytes) {
        CompletableFuture<Void> granted = new CompletableFuture<>();
        loop.run(() -> {
            long now = clock.nanos();
            long from = freeAtNanos - now > 0 ? freeAtNanos : now;
            freeAtNanos = from + Math.multiplyExact(bytes, NANOS_PER_SECOND) / bytesPerSecond;
            long waitMs = (from - now) / NANOS_PER_MILLI;
            if (waitMs <= 0) {
                granted.complete(null);
            } else {
                var unused = loop.schedule(() -> granted.complete(null), waitMs);
            }
        });
        return granted;
    }
}
