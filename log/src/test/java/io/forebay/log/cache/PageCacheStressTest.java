package io.forebay.log.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.model.ByteRun;
import io.forebay.store.ObjectKey;
import io.forebay.store.memory.MemoryStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers on many threads while pages are written, evicted and lent anew: no reader ever sees a byte of another place. */
final class PageCacheStressTest {

    private static final ObjectKey LOG = ObjectKey.of("journal/1/0/0");
    private static final int READERS = 3;
    private static final int TOTAL = 32 << 20;

    /** What does not go in this time is left: every build has to spare it. */
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(2);

    @Test
    @Tag("stress")
    void readersSeeTheBytesOfTheirPlace() throws InterruptedException {
        PageCache cache = new PageCache(new MemoryStore(), new CacheConfig(1_024, 16 << 10, 4 << 10, 0));
        AtomicLong published = new AtomicLong();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        AtomicLong hits = new AtomicLong();
        List<Thread> readers = new ArrayList<>();
        for (int r = 0; r < READERS; r++) {
            SplittableRandom random = new SplittableRandom(r);
            Thread reader = new Thread(() -> {
                try {
                    readUntilTheEnd(cache, published, hits, random);
                } catch (RuntimeException | Error e) {
                    failure.set(e);
                }
            });
            readers.add(reader);
            reader.start();
        }

        long end = System.nanoTime() + LONGEST_NS;
        TailWriter tail = cache.tail(LOG);
        ByteBuffer chunk = ByteBuffer.allocate(512);
        while (tail.position() < TOTAL && failure.get() == null && System.nanoTime() < end) {
            chunk.clear();
            while (chunk.hasRemaining()) {
                chunk.putLong(tail.position() + chunk.position());
            }
            while (!tail.reserve(512)) {
                Thread.onSpinWait();
            }
            tail.write(chunk.flip());
            tail.takeWritten().release();
            tail.publish(tail.position());
            published.set(tail.position());
        }
        published.set(-1);
        for (Thread reader : readers) {
            reader.join();
        }

        assertThat(failure.get()).isNull();
        assertThat(hits.get()).isPositive();
    }

    private static void readUntilTheEnd(
            PageCache cache, AtomicLong published, AtomicLong hits, SplittableRandom random) {
        for (long end = published.get(); end >= 0; end = published.get()) {
            long from = Math.max(0, end - random.nextInt(32 << 10)) / 8 * 8;
            int length = (int) Math.min(end - from, 8L * (1 + random.nextInt(300)));
            ByteRun run = length <= 0 ? null : cache.tryRead(LOG, from, length);
            if (run == null) {
                continue;
            }
            hits.incrementAndGet();
            ByteBuffer bytes = run.copy();
            run.release();
            for (long at = from; bytes.hasRemaining(); at += 8) {
                if (bytes.getLong() != at) {
                    throw new AssertionError("other bytes at " + at);
                }
            }
        }
    }
}
