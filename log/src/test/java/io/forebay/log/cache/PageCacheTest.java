package io.forebay.log.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.model.ByteRun;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import io.forebay.store.memory.MemoryStore;
import io.forebay.testkit.SeededTest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class PageCacheTest {

    private static final ObjectKey LOG = ObjectKey.of("journal/1/0/0");
    private static final ObjectKey OLD = ObjectKey.of("shard/1/1/a");
    /** Pages of 4 KiB, blocks of 1 KiB; 8 tail pages; cold: 6 large pages and 8 blocks. */
    private static final CacheConfig SMALL = new CacheConfig(4096, 32 << 10, 32 << 10, 8192);

    private final MemoryStore memory = new MemoryStore();
    private final WatchedStore store = new WatchedStore(memory);
    private final PageCache cache = new PageCache(store, SMALL);

    @Test
    void givesWhatWasPublishedAndNothingBehind() {
        TailWriter tail = cache.tail(LOG);
        byte[] bytes = noise(10_000, 1);
        assertThat(tail.reserve(bytes.length)).isTrue();
        tail.write(ByteBuffer.wrap(bytes));
        assertThat(cache.tryRead(LOG, 0, 1)).isNull();

        ByteRun taken = tail.takeWritten();
        tail.publish(9_000);

        assertThat(taken.copy()).isEqualTo(ByteBuffer.wrap(bytes));
        taken.release();
        assertContent(cache.tryRead(LOG, 100, 8_900), bytes, 100, 8_900);
        assertContent(cache.tryRead(LOG, 4_095, 2), bytes, 4_095, 2);
        assertThat(cache.tryRead(LOG, 8_999, 2)).isNull();
    }

    @Test
    void theOldestTailPagesGiveWayUnlessSomebodyReadsThem() {
        TailWriter tail = cache.tail(LOG);
        byte[] bytes = noise(100_000, 2);
        write(tail, bytes, 0, 8_192);
        ByteRun kept = cache.tryRead(LOG, 0, 4_096);
        for (int at = 8_192; at + 4_096 <= bytes.length; at += 4_096) {
            write(tail, bytes, at, 4_096);
        }

        assertContent(kept, bytes, 0, 4_096);
        assertThat(cache.tryRead(LOG, 4_096, 10)).isNull();
        int newest = bytes.length / 4_096 * 4_096 - 4_096;
        assertContent(cache.tryRead(LOG, newest, 4_096), bytes, newest, 4_096);
        assertThat(cache.memoryBytes()).isEqualTo(32 << 10);
    }

    @Test
    void saysWhenAllTailPagesAreInUseAndWhenOneCameBack() {
        TailWriter tail = cache.tail(LOG);
        byte[] bytes = noise(32 << 10, 3);
        List<ByteRun> readers = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += 4_096) {
            write(tail, bytes, at, 4_096);
            readers.add(cache.tryRead(LOG, at, 4_096));
        }
        List<String> heard = new ArrayList<>();

        assertThat(tail.reserve(1)).isFalse();
        cache.whenTailPageFree(() -> heard.add("free"));
        assertThat(heard).isEmpty();
        cache.drop(LOG);
        readers.get(3).release();

        assertThat(heard).containsExactly("free");
        assertThat(tail.reserve(1)).isTrue();
    }

    @Test
    void forgetsWhatWasNotPublished() {
        TailWriter tail = cache.tail(LOG);
        assertThat(tail.reserve(9_000)).isTrue();
        tail.write(ByteBuffer.wrap(noise(9_000, 4)));
        ByteRun inFlight = tail.takeWritten();
        tail.publish(100);
        tail.close();
        inFlight.release();

        assertThat(cache.tryRead(LOG, 0, 100)).isNotNull();
        assertThat(cache.tryRead(LOG, 0, 101)).isNull();
        assertThat(cache.tryRead(LOG, 4_096, 1)).isNull();
    }

    @Test
    void catchUpReadsNeverEvictTheTail() {
        TailWriter tail = cache.tail(LOG);
        byte[] newest = noise(32 << 10, 5);
        write(tail, newest, 0, newest.length);
        byte[] old = put(OLD, 1 << 20);
        ReadStream stream = new ReadStream();

        for (int at = 0; at < old.length; at += 4_096) {
            assertContent(cache.read(OLD, at, 4_096, stream, old.length).join(), old, at, 4_096);
        }

        assertContent(cache.tryRead(LOG, 0, newest.length), newest, 0, newest.length);
        assertThat(cache.memoryBytes()).isLessThanOrEqualTo(64 << 10);
    }

    @Test
    void readsAheadOfASequentialReaderInGrowingSteps() {
        byte[] old = put(OLD, 64 << 10);
        ReadStream stream = new ReadStream();
        for (int at = 0; at < old.length; at += 512) {
            assertContent(cache.read(OLD, at, 512, stream, old.length).join(), old, at, 512);
        }

        assertThat(store.reads.get(0).to() - store.reads.get(0).from()).isEqualTo(1_024);
        assertThat(store.reads).hasSizeLessThan(24);
        assertThat(store.reads.stream().mapToLong(r -> r.to() - r.from()).sum()).isEqualTo(old.length);
    }

    @Test
    void aReaderThatJumpsAboutLoadsSingleBlocks() {
        byte[] old = put(OLD, 64 << 10);
        ReadStream stream = new ReadStream();
        for (int at : new int[] {50_000, 3_000, 40_000, 20_000}) {
            assertContent(cache.read(OLD, at, 100, stream, old.length).join(), old, at, 100);
        }

        assertThat(store.reads).allMatch(r -> r.to() - r.from() <= (r.from() == 2_048 ? 2_048 : 1_024));
    }

    @Test
    void twoReadersOfOnePageCauseOneRead() {
        byte[] old = put(OLD, 8_192);
        store.holdReads();

        CompletableFuture<ByteRun> one = cache.read(OLD, 10, 500, new ReadStream(), old.length);
        CompletableFuture<ByteRun> two = cache.read(OLD, 100, 700, new ReadStream(), old.length);
        assertThat(one).isNotDone();
        assertThat(store.reads).hasSize(1);
        store.letGo();

        assertContent(one.join(), old, 10, 500);
        assertContent(two.join(), old, 100, 700);
    }

    @Test
    void aPageReadBeforeTheObjectGrewHidesNothing() {
        byte[] bytes = noise(3_000, 6);
        Appender appender = appender(LOG);
        append(appender, bytes, 0, 1_500);
        assertContent(cache.read(LOG, 1_400, 100, new ReadStream(), 1_500).join(), bytes, 1_400, 100);

        append(appender, bytes, 1_500, 1_500);

        assertThat(cache.tryRead(LOG, 1_400, 200)).isNull();
        assertContent(cache.read(LOG, 1_400, 200, new ReadStream(), 1_600).join(), bytes, 1_400, 200);
        assertContent(cache.read(LOG, 1_024, 1_976, new ReadStream(), 3_000).join(), bytes, 1_024, 1_976);
    }

    @Test
    void nothingBehindTheKnownEndIsRead() {
        byte[] old = put(OLD, 16_384);
        ReadStream stream = new ReadStream();
        for (int at = 0; at < 5_000; at += 500) {
            assertContent(cache.read(OLD, at, 500, stream, 5_000).join(), old, at, 500);
        }

        assertThat(store.reads).allMatch(r -> r.to() <= 5_000);
        assertThat(cache.tryRead(OLD, 4_999, 2)).isNull();
        assertThatThrownBy(() -> cache.read(OLD, 4_999, 2, stream, 5_000)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhenAllColdMemoryIsInUseAndRecovers() {
        byte[] old = put(OLD, 1 << 20);
        List<ByteRun> held = new ArrayList<>();
        int at = 0;
        while (true) {
            CompletableFuture<ByteRun> next = cache.read(OLD, at, 1_000, new ReadStream(), old.length);
            if (next.isCompletedExceptionally()) {
                assertFailure(next, StoreException.Kind.UNAVAILABLE);
                break;
            }
            held.add(next.join());
            at += 10_240;
        }
        assertThat(held).hasSizeGreaterThanOrEqualTo(8);

        held.forEach(ByteRun::release);
        assertContent(cache.read(OLD, at, 1_000, new ReadStream(), old.length).join(), old, at, 1_000);
    }

    @Test
    void aReadLargerThanTheShareGoesPastIt() {
        byte[] old = put(OLD, 1 << 20);

        assertContent(cache.read(OLD, 5, 500_000, new ReadStream(), old.length).join(), old, 5, 500_000);
        assertThat(cache.memoryBytes()).isZero();
    }

    @Test
    void readersThatHoldManyOfTheOldestPagesGetCopies() {
        TailWriter tail = cache.tail(LOG);
        byte[] bytes = noise(100_000, 3);
        write(tail, bytes, 0, 32_768);
        List<ByteRun> held = new ArrayList<>();
        for (int page = 0; page < 3; page++) {
            held.add(cache.tryReadTail(LOG, page * 4_096L, 100));
        }
        for (int at = 32_768; at + 4_096 <= bytes.length; at += 4_096) {
            write(tail, bytes, at, 4_096);
            held.add(cache.tryReadTail(LOG, at, 100));
        }

        held.forEach(ByteRun::release);
        for (int at = 0; at < 32_768; at += 4_096) {
            assertThat(tail.reserve(4_096)).isTrue();
        }
    }

    @Test
    void aWriterThatWaitsForMemoryHoldsNoneThatAnotherNeeds() {
        TailWriter one = cache.tail(LOG);
        TailWriter other = cache.tail(ObjectKey.of("journal/1/1/0"));
        assertThat(one.reserve(4_096)).isTrue();
        assertThat(other.reserve(4_096)).isTrue();

        assertThat(one.reserve(8 * 4_096)).isFalse();

        assertThat(other.reserve(7 * 4_096)).isTrue();
        assertThat(one.reserve(2 * 4_096)).isFalse();
    }

    @Test
    void rangesReadApartLeaveNothingInMemory() {
        byte[] old = put(OLD, 100_000);

        ByteRun run = cache.readApart(OLD, new long[] {70_000, 90_000, 95_000}, new int[] {4_096, 1_000, 700})
                .join();

        assertThat(run.sizeBytes()).isEqualTo(5_796);
        assertContent(run.slice(0, 4_096), old, 70_000, 4_096);
        assertContent(run.slice(4_096, 1_000), old, 90_000, 1_000);
        assertContent(run.slice(5_096, 700), old, 95_000, 700);
        run.release();
        assertThat(cache.tryRead(OLD, 70_000, 10)).isNull();
        for (int i = 0; i < 100; i++) {
            cache.readApart(OLD, new long[] {i}, new int[] {4_096}).join().release();
        }
        assertFailure(cache.readApart(OLD, new long[] {0, 99_999}, new int[] {10, 2}), StoreException.Kind.CORRUPT);
    }

    @Test
    void saysWhereAnObjectEndsThatEndsEarly() {
        put(OLD, 100_000);

        assertThatThrownBy(() -> cache.readApart(OLD, new long[] {10, 99_999}, new int[] {10, 2})
                        .join())
                .hasMessageContaining("ends at 100000,");
        assertThatThrownBy(() -> cache.readApart(OLD, new long[] {10, 200_000}, new int[] {10, 2})
                        .join())
                .hasMessageContaining("ends at or before 200000,");
        assertThatThrownBy(() ->
                        cache.read(OLD, 99_990, 20, new ReadStream(), 100_010).join())
                .hasMessageContaining("ends at 100000,");
    }

    @Test
    void rangesReadApartWaitForMemory() {
        put(OLD, 100_000);
        List<ByteRun> held = new ArrayList<>();
        CompletableFuture<ByteRun> read = cache.readApart(OLD, new long[] {0}, new int[] {4_096});
        while (!read.isCompletedExceptionally()) {
            held.add(read.join());
            read = cache.readApart(OLD, new long[] {0}, new int[] {4_096});
        }

        assertFailure(read, StoreException.Kind.UNAVAILABLE);
        held.forEach(ByteRun::release);
        cache.readApart(OLD, new long[] {0}, new int[] {4_096}).join().release();
    }

    @Test
    void readersOfSeveralPartitionsThatReadAllOfAFileTogetherAreReadAhead() {
        byte[] old = put(OLD, 400_000);
        List<ReadStream> streams = List.of(new ReadStream(), new ReadStream(), new ReadStream(), new ReadStream());

        for (int at = 0; at + 4_000 <= old.length; at += 1_000) {
            assertContent(
                    cache.read(OLD, at, 1_000, streams.get(at / 1_000 % 4), old.length)
                            .join(),
                    old,
                    at,
                    1_000);
        }

        assertThat(store.reads).hasSizeLessThan(200);
    }

    @Test
    void whatCameFromTheStoreIsNotTakenForTheTail() {
        put(OLD, 4_000);
        cache.read(OLD, 0, 4_000, new ReadStream(), 4_000).join().release();

        assertThat(cache.tryReadTail(OLD, 0, 10)).isNull();
        assertThat(cache.tryRead(OLD, 0, 10)).isNotNull();
    }

    @Test
    void saysWhatIsMissing() {
        put(OLD, 1_000);

        assertFailure(
                cache.read(ObjectKey.of("shard/none"), 0, 10, new ReadStream(), 10), StoreException.Kind.NOT_FOUND);
        assertFailure(cache.read(OLD, 990, 20, new ReadStream(), 1_010), StoreException.Kind.CORRUPT);
        assertThat(cache.read(OLD, 990, 10, new ReadStream(), 1_010).join().sizeBytes())
                .isEqualTo(10);
    }

    @Test
    void forgetsADroppedObjectButNotWhatIsBeingRead() {
        byte[] old = put(OLD, 4_000);
        ByteRun run = cache.read(OLD, 0, 4_000, new ReadStream(), 4_000).join();
        cache.drop(OLD);

        assertThat(cache.tryRead(OLD, 0, 10)).isNull();
        assertContent(run, old, 0, 4_000);
    }

    /** Many readers with runs in their hands, objects that grow, little memory: what is read is what was written. */
    @SeededTest(fixed = 100, fresh = 30)
    void everyReadGivesTheRightBytes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int objects = 1 + random.nextInt(4);
        List<byte[]> contents = new ArrayList<>();
        List<Appender> appenders = new ArrayList<>();
        int[] written = new int[objects];
        List<ReadStream> streams = new ArrayList<>();
        int[] cursor = new int[6];
        for (int i = 0; i < objects; i++) {
            contents.add(noise(100_000, seed + i));
            appenders.add(appender(key(i)));
        }
        for (int i = 0; i < cursor.length; i++) {
            streams.add(new ReadStream());
        }
        List<Runnable> checks = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            int o = random.nextInt(objects);
            if (random.nextInt(4) == 0) {
                int more = Math.min(random.nextInt(5_000), contents.get(o).length - written[o]);
                append(appenders.get(o), contents.get(o), written[o], more);
                written[o] += more;
            }
            if (random.nextInt(20) == 0) {
                store.holdReads();
            } else if (random.nextInt(5) == 0) {
                store.letGo();
            }
            int reader = random.nextInt(cursor.length);
            int from = random.nextInt(3) > 0 ? cursor[reader] : random.nextInt(Math.max(1, written[o]));
            int length = Math.min(random.nextInt(random.nextInt(5) == 0 ? 9_000 : 700), written[o] - from);
            if (length > 0) {
                cursor[reader] = from + length;
                CompletableFuture<ByteRun> read = cache.read(
                        key(o),
                        from,
                        length,
                        streams.get(reader),
                        from + length + random.nextInt(written[o] - from - length + 1));
                byte[] content = contents.get(o);
                checks.add(() -> assertReadOrRefused(read, content, from, length));
            }
            if (random.nextInt(3) == 0 && !checks.isEmpty()) {
                store.letGo();
                checks.remove(random.nextInt(checks.size())).run();
            }
        }
        store.letGo();
        checks.forEach(Runnable::run);
        assertThat(cache.memoryBytes()).isLessThanOrEqualTo(32 << 10);
    }

    private static void assertReadOrRefused(CompletableFuture<ByteRun> read, byte[] content, int from, int length) {
        if (read.isCompletedExceptionally()) {
            assertFailure(read, StoreException.Kind.UNAVAILABLE);
        } else {
            assertContent(read.join(), content, from, length);
        }
    }

    private static ObjectKey key(int i) {
        return ObjectKey.of("o/" + i);
    }

    private byte[] put(ObjectKey key, int size) {
        byte[] bytes = noise(size, key.value().hashCode());
        assertThat(memory.putIfAbsent(key, ByteBuffer.wrap(bytes)).join()).isEqualTo(PutOutcome.WRITTEN);
        return bytes;
    }

    private Appender appender(ObjectKey key) {
        CreateOutcome outcome =
                memory.createAppender(key, ObjectKey.of(key + "-next")).join();
        return ((CreateOutcome.Created) outcome).appender();
    }

    private static void append(Appender appender, byte[] bytes, int from, int length) {
        assertThat(appender.append(List.of(ByteBuffer.wrap(bytes, from, length)))
                        .join())
                .isNotNull();
    }

    private static void write(TailWriter tail, byte[] bytes, int from, int length) {
        assertThat(tail.reserve(length)).isTrue();
        tail.write(ByteBuffer.wrap(bytes, from, length));
        tail.takeWritten().release();
        tail.publish(from + (long) length);
    }

    private static byte[] noise(int size, long seed) {
        byte[] bytes = new byte[size];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    /** Checks and releases. */
    private static void assertContent(
            @org.jspecify.annotations.Nullable ByteRun run, byte[] whole, int from, int length) {
        assertThat(run).isNotNull();
        if (run != null) {
            assertThat(run.copy()).isEqualTo(ByteBuffer.wrap(Arrays.copyOfRange(whole, from, from + length)));
            run.release();
        }
    }

    private static void assertFailure(CompletableFuture<?> future, StoreException.Kind kind) {
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
