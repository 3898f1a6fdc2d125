package io.forebay.store;

import io.forebay.model.Clock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * Tries at start-up whether a store keeps the promises that everything rests on, instead of trusting its documentation:
 * above all that of several racing writers exactly one creates an object.
 *
 * <p>Works under keys of its own ({@code probe/TIME-RANDOM/}) and removes them again, also those that a process left
 * which died while probing. Used once, by one thread, which it blocks: not on a loop.
 */
public final class StoreProbe {

    private static final int RACERS = 4;
    private static final int RACES = 2;
    private static final int CONTENT_BYTES = 1024;
    private static final long ANSWER_LIMIT_MS = 30_000;
    private static final long LEFTOVER_AGE_MS = 3_600_000;
    private static final int MAX_LEFTOVERS = 1_000;
    private static final String PREFIX = "probe/";

    private final Store store;
    private final RandomGenerator chance;
    private final Clock clock;
    private final String folder;

    /**
     * How long things took, in microseconds.
     *
     * @param put one put that nobody raced with
     * @param append one small append with its sync; -1 where the store does not append
     * @param total the whole probe
     */
    public record Timings(long put, long append, long total) {
        @Override
        public String toString() {
            return "put " + put + " µs, " + (append < 0 ? "no append" : "append " + append + " µs") + ", probe " + total
                    + " µs";
        }
    }

    private StoreProbe(Store store, RandomGenerator chance, Clock clock) {
        this.store = store;
        this.chance = chance;
        this.clock = clock;
        String random = Long.toHexString(chance.nextLong()) + Long.toHexString(chance.nextLong());
        this.folder = PREFIX + ObjectKey.padded(Math.max(0, clock.wallMs())) + "-" + random + "/";
    }

    /**
     * Probes the store unless that was done within the last day, by whomever ({@link Store#probed}). Empty: it was.
     *
     * @throws StoreException as {@link #run}
     */
    public static Optional<Timings> runUnlessNoted(Store store, RandomGenerator chance, Clock clock) {
        ProbeNote note = new ProbeNote(store, clock);
        try {
            if (note.isThere()) {
                return Optional.empty();
            }
            Timings timings = run(store, chance, clock);
            note.leave(timings);
            return Optional.of(timings);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    StoreException.Kind.UNAVAILABLE, "the probe of the store was interrupted", stopped);
        }
    }

    /**
     * Probes the store.
     *
     * @throws StoreException INVALID with what the store does wrong; UNAVAILABLE or FULL if it cannot be told now
     */
    public static Timings run(Store store, RandomGenerator chance, Clock clock) {
        return new StoreProbe(store, chance, clock).run();
    }

    private Timings run() {
        long start = clock.nanos();
        try {
            removeLeftovers();
            race();
            long putMicros = putAndDelete();
            long appendMicros = store.capabilities().append() ? appendAndSeal() : -1;
            return new Timings(putMicros, appendMicros, microsSince(start));
        } finally {
            removeOwn();
        }
    }

    private void race() {
        List<List<ByteBuffer>> contents = new ArrayList<>();
        List<List<CompletableFuture<PutOutcome>>> races = new ArrayList<>();
        for (int race = 0; race < RACES; race++) {
            contents.add(new ArrayList<>());
            races.add(new ArrayList<>());
        }
        for (int racer = 0; racer < RACERS; racer++) {
            for (int race = 0; race < RACES; race++) {
                ByteBuffer content = randomBytes();
                contents.get(race).add(content);
                races.get(race).add(store.putIfAbsent(key("race-" + race), content));
            }
        }
        for (int race = 0; race < RACES; race++) {
            List<ByteBuffer> written = new ArrayList<>();
            for (int racer = 0; racer < RACERS; racer++) {
                if (settled(races.get(race).get(racer)) == PutOutcome.WRITTEN) {
                    written.add(contents.get(race).get(racer));
                }
            }
            require(
                    written.size() == 1,
                    "of " + RACERS + " writers racing to create one object it tells " + written.size()
                            + " that they made it; exactly one may" + unheeded());
            require(
                    readBack(key("race-" + race)).equals(written.get(0)),
                    "an object does not read back as the one writer wrote it who was told that it had made it");
        }
    }

    private long putAndDelete() {
        ByteBuffer content = randomBytes();
        long start = clock.nanos();
        PutOutcome first = settled(store.putIfAbsent(key("put"), content));
        long micros = microsSince(start);
        require(first == PutOutcome.WRITTEN, "it does not create an object under a new name");
        require(
                settled(store.putIfAbsent(key("put"), randomBytes())) == PutOutcome.ALREADY_EXISTS,
                "it lets an object be overwritten" + unheeded());
        require(readBack(key("put")).equals(content), "an object does not read back as it was written");
        require(names().contains(key("put")), "a listing misses an object that was just created");
        done(store.delete(key("put")));
        require(!names().contains(key("put")), "a listing shows an object that was just deleted");
        return micros;
    }

    private String unheeded() {
        String means = store.exclusiveMeans();
        return means.isEmpty() ? "" : ". It does not heed " + means;
    }

    private long appendAndSeal() {
        ObjectKey file = key("append-0");
        ObjectKey successor = key("append-1");
        CreateOutcome created = answer(store.createAppender(file, successor));
        require(created instanceof CreateOutcome.Created, "it does not create an object to append to");
        require(
                answer(store.createAppender(file, successor)) instanceof CreateOutcome.AlreadyExists,
                "it gives one object two writers");
        Appender appender = ((CreateOutcome.Created) created).appender();
        try {
            ByteBuffer content = randomBytes();
            long start = clock.nanos();
            AppendOutcome appended = answer(appender.append(List.of(content)));
            long micros = microsSince(start);
            require(appended.equals(new AppendOutcome.Durable(CONTENT_BYTES)), "an append ends with " + appended);
            require(readBack(file).equals(content), "an object does not read back as it was appended to");

            require(
                    settled(store.putIfAbsent(successor, content)) == PutOutcome.WRITTEN,
                    "it does not create an object under a new name");
            long end = answer(store.seal(file));
            require(
                    answer(appender.append(List.of(content))) instanceof AppendOutcome.Fenced,
                    "a writer that was fenced may go on");
            require(
                    end >= CONTENT_BYTES && answer(store.seal(file)) == end,
                    "a sealed object's end is not fixed, or loses what was acknowledged");
            return micros;
        } finally {
            done(appender.close());
        }
    }

    private void removeLeftovers() {
        String before = PREFIX + ObjectKey.padded(Math.max(0, clock.wallMs() - LEFTOVER_AGE_MS));
        for (ObjectStat left : answer(store.list(PREFIX, "", MAX_LEFTOVERS))) {
            if (left.key().value().compareTo(before) < 0) {
                done(store.delete(left.key()));
            }
        }
    }

    /** What stays after a failure here is removed by a later probe. */
    private void removeOwn() {
        try {
            List<CompletableFuture<Void>> deletes =
                    names().stream().map(store::delete).toList();
            deletes.forEach(StoreProbe::done);
        } catch (StoreException failed) {
            // The probe's own result tells more.
        }
    }

    private List<ObjectKey> names() {
        return answer(store.list(folder, "", 100)).stream().map(ObjectStat::key).toList();
    }

    private ByteBuffer readBack(ObjectKey key) {
        ByteBuffer read = ByteBuffer.allocate(CONTENT_BYTES + 1);
        int count = answer(store.read(key, 0, read));
        require(count == read.position(), "a read tells a wrong number of bytes");
        return read.flip();
    }

    private PutOutcome settled(CompletableFuture<PutOutcome> put) {
        PutOutcome outcome = answer(put);
        if (outcome == PutOutcome.OUTCOME_UNKNOWN) {
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "the store did not answer a put in time");
        }
        return outcome;
    }

    private static void done(CompletableFuture<Void> future) {
        var unused = answer(future.thenApply(nothing -> "done"));
    }

    private static <T> T answer(CompletableFuture<T> future) {
        try {
            return future.get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new StoreException(
                    StoreException.Kind.UNAVAILABLE,
                    "the store did not answer within " + ANSWER_LIMIT_MS / 1_000 + " s",
                    late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    StoreException.Kind.UNAVAILABLE, "the probe of the store was interrupted", stopped);
        } catch (ExecutionException failed) {
            StoreException.Kind kind =
                    failed.getCause() instanceof StoreException known ? known.kind() : StoreException.Kind.UNAVAILABLE;
            throw new StoreException(kind, "the store failed a probe: " + failed.getCause(), failed);
        }
    }

    private static void require(boolean kept, String fault) {
        if (!kept) {
            throw new StoreException(StoreException.Kind.INVALID, "this store cannot be used: " + fault);
        }
    }

    private ObjectKey key(String name) {
        return ObjectKey.of(folder + name);
    }

    private ByteBuffer randomBytes() {
        byte[] bytes = new byte[CONTENT_BYTES];
        chance.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private long microsSince(long startNanos) {
        return (clock.nanos() - startNanos) / 1_000;
    }
}
