package io.forebay.log;

import io.forebay.log.batch.BatchView;
import io.forebay.log.cache.CacheConfig;
import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.FenceConfig;
import io.forebay.log.journal.JournalConfig;
import io.forebay.log.journal.JournalDamage;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.Maker;
import io.forebay.log.partition.AppendListener;
import io.forebay.log.partition.PartitionLog;
import io.forebay.log.shard.Shard;
import io.forebay.log.shard.ShardConfig;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreRetryPolicy;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.SimulatedProcess;
import io.forebay.testkit.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One store and the lives of one node on it, with a model of what every partition must hold. Owned by the test's thread. */
final class LogWorld {

    static final long PATIENCE_MS = 600_000;

    final Simulation simulation;
    final FaultyStore store;
    final RandomGenerator random;
    final LogConfig config;
    final CacheConfig cacheConfig;
    final int shardCount;
    final Map<Long, PartitionModel> models = new TreeMap<>();
    final List<JournalDamage> damages = new ArrayList<>();

    /** Ids whose deletion the root would have recorded. */
    final Set<Long> deleted = new TreeSet<>();

    /** Rare things that came about. */
    final Set<String> reached = new TreeSet<>();

    final Set<ObjectKey> segmentsSeen = new HashSet<>();
    private final List<String> startFailures = new ArrayList<>();
    private long session;
    private long epoch;
    private final List<Long> toFence = new ArrayList<>();

    /** The session that cleans up after others, where several nodes live side by side. */
    long cleaner;

    /** Whether the next life opens no shard by itself. */
    boolean leavesClosed;

    @Nullable
    Life life;

    /** Who has a shard, where several nodes live side by side. */
    final Map<Integer, Life> owners = new TreeMap<>();
    /** Sessions that the root would have recorded as ended, where several nodes live side by side. */
    final Set<Long> recorded = new TreeSet<>();

    /** One life of the node. */
    final class Life {
        final SimulatedProcess process;
        final NodeLog log;
        final List<SimulatedLoop> loops = new ArrayList<>();
        final Map<Integer, Shard> shards = new TreeMap<>();
        final PageCache cache;

        Life(long session) {
            process = simulation.process("node-" + session);
            var handle = store.handle(process);
            cache = new PageCache(handle, cacheConfig);
            for (int i = 0; i < 2; i++) {
                loops.add(process.loop("shards-" + i));
            }
            LogPorts ports = new LogPorts(
                    handle,
                    cache,
                    process.loop("home"),
                    List.of(process.loop("journal-0"), process.loop("journal-1")),
                    process.clock(),
                    simulation.random("node-" + session),
                    process.loop("merge"),
                    new Maker(session, session),
                    damages::add);
            log = new NodeLog(session, ports, config, past -> recordedEnded(past, session), () -> cleansEnded(session));
        }

        Loop loopOf(int shard) {
            return loops.get(shard % loops.size());
        }
    }

    LogWorld(long seed) {
        this(seed, null);
    }

    LogWorld(long seed, @Nullable LogConfig fixed) {
        simulation = new Simulation(seed);
        store = new FaultyStore(simulation);
        random = simulation.random("world");
        shardCount = 1 + random.nextInt(4);
        config = fixed != null ? fixed : randomConfig();
        cacheConfig =
                new CacheConfig(4 << 10, (4L + random.nextInt(40)) << 12, (8L + random.nextInt(40)) << 12, 16 << 10);
    }

    /** One lane, files of 1 MiB, no merging worth the name. */
    static LogConfig configThatFlushes(long flushBytes) {
        return config(flushBytes, 100, 1L << 30);
    }

    /** The same with a limit of the journal. */
    static LogConfig configThatFlushes(long flushBytes, long unretiredBytes) {
        return config(flushBytes, 100, unretiredBytes);
    }

    /** The same, but merging. */
    static LogConfig configThatMerges(long flushBytes, int fanIn) {
        return config(flushBytes, fanIn, 1L << 30);
    }

    private static LogConfig config(long flushBytes, int fanIn, long unretiredBytes) {
        return new LogConfig(
                new JournalConfig(1 << 20, 10_000, 1 << 20, 3_000, 4, 100, 50, 4),
                FenceConfig.DEFAULT,
                new ShardConfig(flushBytes, 10_000, fanIn, 1 << 20, 1 << 20, 1_000, 10_000),
                1,
                unretiredBytes,
                4,
                20_000,
                1_000);
    }

    /** Flips a bit of an object that nobody writes any more. */
    void damage(ObjectKey key, int position) {
        byte[] bytes = store.snapshot().get(key);
        if (bytes == null) {
            throw new AssertionError("no object " + key);
        }
        bytes[position] = (byte) (bytes[position] ^ 1);
        var handle = store.handle("damager");
        var done = handle.delete(key).thenCompose(gone -> handle.putIfAbsent(key, ByteBuffer.wrap(bytes)));
        if (!simulation.runUntil(done::isDone, PATIENCE_MS)) {
            throw new AssertionError("the store does not answer");
        }
    }

    /** An object that nobody writes any more loses its end. */
    void truncate(ObjectKey key, int length) {
        byte[] bytes = store.snapshot().get(key);
        if (bytes == null) {
            throw new AssertionError("no object " + key);
        }
        ByteBuffer rest = ByteBuffer.wrap(Arrays.copyOf(bytes, length));
        var handle = store.handle("truncater");
        var done = handle.delete(key).thenCompose(gone -> handle.putIfAbsent(key, rest));
        if (!simulation.runUntil(done::isDone, PATIENCE_MS)) {
            throw new AssertionError("the store does not answer");
        }
    }

    /** An object is gone, for whatever reason. */
    void remove(ObjectKey key) {
        var done = store.handle("remover").delete(key);
        if (!simulation.runUntil(done::isDone, PATIENCE_MS)) {
            throw new AssertionError("the store does not answer");
        }
    }

    private LogConfig randomConfig() {
        int fileBytes = 4_096 + random.nextInt(60_000);
        int fileFrames = 10 + random.nextInt(500);
        int puts = 1 + fileFrames % JournalConfig.MAX_PUTS;
        return new LogConfig(
                new JournalConfig(fileBytes, fileFrames, 1 << 20, 3_000, 4, 100, 50, puts),
                FenceConfig.DEFAULT,
                new ShardConfig(
                        1_000 + random.nextInt(60_000),
                        5 + random.nextInt(200),
                        2 + random.nextInt(4),
                        1 << 20,
                        1 << 20,
                        100 + random.nextInt(2_000),
                        random.nextInt(4) == 0 ? 0 : 10_000),
                1 + random.nextInt(2),
                10_000 + random.nextInt(200_000),
                1 + random.nextInt(4),
                random.nextInt(20_000),
                20 + random.nextInt(200));
    }

    /** Which shard holds a partition. */
    int shardOf(long partitionId) {
        return (int) (partitionId % shardCount);
    }

    PartitionLog partition(long partitionId) {
        return shard(shardOf(partitionId)).createPartition(partitionId);
    }

    Shard shard(int number) {
        Shard shard = ownerOf(number).shards.get(number);
        if (shard == null) {
            throw new IllegalStateException("shard " + number + " is not open");
        }
        return shard;
    }

    Life ownerOf(int shard) {
        Life owner = owners.get(shard);
        return owner != null ? owner : live();
    }

    private boolean recordedEnded(long past, long asker) {
        return owners.isEmpty() ? past < asker : recorded.contains(past);
    }

    private boolean cleansEnded(long asker) {
        return owners.isEmpty() || asker == cleaner;
    }

    /** A node beside others, which opens nothing by itself. Empty if its store did not let it start. */
    Optional<Life> join() {
        session++;
        Life next = new Life(session);
        var started = next.log.start();
        if (simulation.runUntil(started::isDone, PATIENCE_MS) && !started.isCompletedExceptionally()) {
            return Optional.of(next);
        }
        store.crash(next.process);
        return Optional.empty();
    }

    Life live() {
        Life now = life;
        if (now == null) {
            throw new IllegalStateException("the node is down");
        }
        return now;
    }

    /** Starts a new life: fences what was, opens all shards under new epochs. Tries again until it works. */
    void start() {
        startFailures.clear();
        for (int tries = 0; tries < 50; tries++) {
            if (tryStart()) {
                return;
            }
        }
        throw new AssertionError("the node does not start: " + startFailures);
    }

    private boolean tryStart() {
        session++;
        Life next = new Life(session);
        // The others were fenced before, in lives that may have ended before they had cleaned up.
        List<Long> past = List.copyOf(toFence);
        toFence.add(session);
        CompletableFuture<Void> ready = new CompletableFuture<>();
        next.loops.get(0).execute(() -> {
            CompletableFuture<Void> fenced = CompletableFuture.completedFuture(null);
            for (long one : past) {
                fenced = fenced.thenCompose(
                        done -> Retry.on(next.loops.get(0), () -> next.log.fence(one), StoreRetryPolicy.DEFAULT));
            }
            relay(fenced.thenCompose(done -> next.log.start()).thenCompose(done -> openAll(next)), ready);
        });
        boolean done = simulation.runUntil(ready::isDone, PATIENCE_MS);
        if (!done || ready.isCompletedExceptionally()) {
            startFailures.add(
                    done
                            ? String.valueOf(
                                    ready.handle((v, t) -> Retry.unwrap(t)).join())
                            : "no answer");
            store.crash(next.process);
            return false;
        }
        toFence.removeAll(past);
        life = next;
        return true;
    }

    private static void relay(CompletableFuture<Void> from, CompletableFuture<Void> to) {
        var unused = from.whenComplete((value, thrown) -> {
            if (thrown == null) {
                to.complete(null);
            } else {
                to.completeExceptionally(thrown);
            }
        });
    }

    private CompletableFuture<Void> openAll(Life next) {
        epoch++;
        List<CompletableFuture<?>> opening = new ArrayList<>();
        for (int shard = 0; shard < shardCount && !leavesClosed; shard++) {
            int id = shard;
            opening.add(next.log
                    .open(new ShardId(1 + shard), epoch, next.loopOf(shard))
                    .thenAccept(open -> {
                        next.shards.put(id, open);
                        for (long partitionId : open.partitionIds()) {
                            if (deleted.contains(partitionId)) {
                                open.deletePartition(partitionId);
                            }
                        }
                    }));
        }
        return CompletableFuture.allOf(opening.toArray(new CompletableFuture<?>[0]));
    }

    /** The last session that was given out. */
    long session() {
        return session;
    }

    long nextEpoch() {
        return ++epoch;
    }

    /** Ends the life with what was not synced. */
    void crash() {
        store.crash(live().process);
        life = null;
    }

    void powerLoss() {
        store.powerLoss();
        life = null;
    }

    PartitionModel model(long partitionId) {
        return models.computeIfAbsent(partitionId, id -> new PartitionModel(this, id));
    }

    /** Runs something on the loop of a partition's shard and waits until it has run. */
    <T> T on(long partitionId, java.util.function.Supplier<T> work) {
        List<T> result = new ArrayList<>();
        List<RuntimeException> failure = new ArrayList<>();
        ownerOf(shardOf(partitionId)).loopOf(shardOf(partitionId)).execute(() -> {
            try {
                result.add(work.get());
            } catch (RuntimeException e) {
                failure.add(e);
            }
        });
        if (!simulation.runUntil(() -> !result.isEmpty() || !failure.isEmpty(), PATIENCE_MS)) {
            throw new AssertionError("a loop does not answer");
        }
        if (!failure.isEmpty()) {
            throw failure.get(0);
        }
        return result.get(0);
    }

    /** Waits for a future that is made on the loop of a partition's shard. */
    <T> T await(long partitionId, java.util.function.Supplier<CompletableFuture<T>> work) {
        CompletableFuture<T> future = on(partitionId, work);
        if (!simulation.runUntil(future::isDone, PATIENCE_MS)) {
            throw new AssertionError("partition " + partitionId + ": no answer");
        }
        return future.join();
    }

    /** A batch of noise. */
    static ByteBuffer batch(
            RandomGenerator random, int records, int bytes, long producerId, int sequence, long timestamp) {
        byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        ByteBuffer b = ByteBuffer.wrap(noise);
        b.putLong(0, -1).putInt(8, bytes - BatchView.LENGTH_OVERHEAD).putInt(12, -1);
        b.put(16, BatchView.MAGIC).putShort(21, (short) 0).putInt(23, records - 1);
        b.putLong(27, timestamp).putLong(35, timestamp);
        b.putLong(43, producerId).putShort(51, (short) (producerId < 0 ? -1 : 0));
        b.putInt(53, producerId < 0 ? -1 : sequence).putInt(57, records);
        b.putInt(17, BatchView.computeCrc(b, 0));
        return b;
    }

    /** Counts down what is in flight. */
    abstract static class Told implements AppendListener {
        @Override
        public void copied() {}

        @Override
        public void failed(JournalEndedException cause) {}
    }
}
