package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store under test, opened for each test, and short words for what tests do with it. */
@SuppressWarnings("NullAway.Init") // set before each test
abstract class StoreHands {

    protected static final int RACERS = 6;

    private Store store;
    private ExecutorService racers;

    /** A new, empty store. Called once per test. */
    protected abstract Store openEmpty() throws Exception;

    /** The size of the object that counts as big for this back end. */
    protected int bigObjectBytes() {
        return 9 * 1024 * 1024 + 17;
    }

    /** Whether the successor's existence fences a writer by itself; where a lease does that, it takes the seal. */
    protected boolean successorFencesAlone() {
        return true;
    }

    @BeforeEach
    final void openStore() throws Exception {
        store = openEmpty();
        racers = Executors.newFixedThreadPool(RACERS);
    }

    @AfterEach
    final void closeStore() {
        racers.shutdownNow();
        store.close();
    }

    /** The store under test. */
    protected final Store store() {
        return store;
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected final PutOutcome put(String key, byte[] content) throws Exception {
        return await(store.putIfAbsent(ObjectKey.of(key), ByteBuffer.wrap(content)));
    }

    /** A put that must succeed. */
    protected final void make(String key, byte[] content) throws Exception {
        assertThat(put(key, content)).as(key).isEqualTo(PutOutcome.WRITTEN);
    }

    /** An append that must succeed. */
    protected static void appendDurably(Appender appender, String text) throws Exception {
        assertThat(append(appender, text)).isInstanceOf(AppendOutcome.Durable.class);
    }

    protected final byte[] readAll(String key) throws Exception {
        byte[] whole = readIfThere(key);
        assertThat(whole).as("object %s", key).isNotNull();
        return whole == null ? new byte[0] : whole;
    }

    protected final byte[] read(String key, long position, int length) throws Exception {
        ByteBuffer destination = ByteBuffer.allocate(length);
        int count = await(store.read(ObjectKey.of(key), position, destination));
        assertThat(destination.position()).isEqualTo(count);
        return Arrays.copyOf(destination.array(), count);
    }

    protected final Appender create(String key, String successor) throws Exception {
        assumeAppend();
        CreateOutcome outcome = await(store.createAppender(ObjectKey.of(key), ObjectKey.of(successor)));
        assertThat(outcome).isInstanceOf(CreateOutcome.Created.class);
        return ((CreateOutcome.Created) outcome).appender();
    }

    protected static AppendOutcome append(Appender appender, String text) throws Exception {
        return await(appender.append(List.of(ByteBuffer.wrap(bytes(text)))));
    }

    protected final List<ObjectStat> list(String prefix, String startAfter, int limit) throws Exception {
        return await(store.list(prefix, startAfter, limit));
    }

    protected static List<String> keys(List<ObjectStat> stats) {
        return stats.stream().map(s -> s.key().value()).toList();
    }

    @SuppressWarnings("NullAway") // a future of Void completes with null
    protected static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    /** The kind of the exception that the future completes with. */
    protected static StoreException.Kind failure(CompletableFuture<?> future) {
        try {
            Object value = future.get(60, TimeUnit.SECONDS);
            throw new AssertionError("expected a failure, got " + value);
        } catch (ExecutionException failed) {
            assertThat(failed.getCause()).isInstanceOf(StoreException.class);
            return failed.getCause() instanceof StoreException known ? known.kind() : StoreException.Kind.CORRUPT;
        } catch (InterruptedException | TimeoutException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    /** What one of several racing callers does; {@code racer} counts from 0. */
    protected interface Racer<T> {
        T run(int racer) throws Exception;
    }

    /** Runs it {@value #RACERS} times at once and returns the results by racer. */
    protected final <T> List<T> race(Racer<T> racer) throws Exception {
        CyclicBarrier start = new CyclicBarrier(RACERS);
        List<Callable<T>> runs = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            int number = i;
            runs.add(() -> {
                start.await(60, TimeUnit.SECONDS);
                return racer.run(number);
            });
        }
        List<T> results = new ArrayList<>();
        for (Future<T> result : racers.invokeAll(runs)) {
            results.add(result.get(60, TimeUnit.SECONDS));
        }
        return results;
    }

    protected final void assumeAppend() {
        assumeThat(store.capabilities().append()).as("back end can append").isTrue();
    }

    protected final byte @Nullable [] readIfThere(String key) throws Exception {
        ByteBuffer destination = ByteBuffer.allocate(64 * 1024);
        byte[] whole = new byte[0];
        while (true) {
            try {
                destination.clear();
                int count = await(store.read(ObjectKey.of(key), whole.length, destination));
                if (count == 0) {
                    return whole;
                }
                int before = whole.length;
                whole = Arrays.copyOf(whole, before + count);
                System.arraycopy(destination.array(), 0, whole, before, count);
                if (destination.capacity() < 4 * 1024 * 1024) {
                    destination = ByteBuffer.allocate(destination.capacity() * 4);
                }
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof StoreException known
                        && known.kind() == StoreException.Kind.NOT_FOUND) {
                    return null;
                }
                throw failed;
            }
        }
    }

    protected static byte[] random(int size, long seed) {
        byte[] content = new byte[size];
        new java.util.Random(seed).nextBytes(content);
        return content;
    }
}
