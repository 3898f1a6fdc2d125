package io.forebay.log.journal;

import io.forebay.log.cache.CacheConfig;
import io.forebay.log.cache.PageCache;
import io.forebay.model.ByteRun;
import io.forebay.store.Store;
import io.forebay.testkit.FaultyStore;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.SimulatedProcess;
import io.forebay.testkit.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** One simulated process with a journal and a few partitions that append to it. Limits are small and drawn from the seed. */
final class JournalWorld {

    static final long SESSION = 5;
    static final JournalPath PATH = JournalPath.ofSession(SESSION, 0);
    private static final long EPOCH = 3;

    final Simulation simulation;
    final RandomGenerator random;
    final FaultyStore store;
    final SimulatedProcess writer;
    final Store writersStore;
    final PageCache cache;
    final Journal journal;
    final List<TestEntry> appended = new ArrayList<>();
    final List<List<TestEntry>> toldByLoop = new ArrayList<>();
    final List<JournalEndedException> ends = new ArrayList<>();

    private final List<SimulatedLoop> owners = new ArrayList<>();
    private final Map<Long, Long> nextOffset = new HashMap<>();

    /** Whether files grow or are put whole. */
    enum Files {
        APPENDED,
        PUT_WHOLE
    }

    JournalWorld(long seed) {
        this(seed, Files.APPENDED);
    }

    JournalWorld(long seed, Files files) {
        simulation = new Simulation(seed);
        random = simulation.random("world");
        store = new FaultyStore(simulation);
        if (files == Files.PUT_WHOLE) {
            store.withoutAppend();
        }
        writer = simulation.process("writer");
        writersStore = store.handle(writer);
        cache = new PageCache(writersStore, new CacheConfig(1024 << random.nextInt(3), 64 << 10, 16 << 10, 4096));
        JournalConfig drawn = new JournalConfig(
                500 + random.nextInt(20_000),
                1 + random.nextInt(100),
                200 + random.nextInt(20_000),
                200 + random.nextInt(4_000),
                2 + random.nextInt(5),
                random.nextInt(50),
                Math.floorMod(seed, 3) * 30L,
                1 + Math.floorMod(seed / 3, JournalConfig.MAX_PUTS));
        journal = new Journal(
                PATH,
                Maker.random(random),
                writersStore,
                writer.loop("journal"),
                writer.clock(),
                cache,
                drawn,
                1,
                ends::add);
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
            owners.add(writer.loop("owner-" + i));
            toldByLoop.add(new ArrayList<>());
        }
    }

    /** Appends a frame of a random partition, on its owner's loop. */
    void appendSoon() {
        int owner = random.nextInt(owners.size());
        owners.get(owner).execute(() -> append(owner));
    }

    private void append(int owner) {
        long partition = owner + (long) owners.size() * random.nextInt(3);
        boolean isBatch = random.nextInt(10) > 0;
        int records = isBatch ? 1 + random.nextInt(5) : 0;
        long offset = nextOffset.getOrDefault(partition, 0L);
        nextOffset.put(partition, offset + records);
        int bytes = random.nextInt(20) == 0 ? 61 + random.nextInt(8_000) : 61 + random.nextInt(300);
        ByteBuffer body = isBatch ? TestBatches.batch(offset, records, bytes, random) : ByteBuffer.allocate(0);
        JournalPosition lowest = journal.nextPosition();
        List<TestEntry> told = toldByLoop.get(owner);
        TestEntry entry =
                new TestEntry(
                        isBatch ? FrameKind.BATCH : FrameKind.TRIM,
                        1024 + owner,
                        EPOCH,
                        partition,
                        offset,
                        records,
                        body,
                        owners.get(owner),
                        told) {
                    @Override
                    public void durable(long file, int bodyPosition) {
                        super.durable(file, bodyPosition);
                        checkTail(this);
                        if (lowest.compareTo(new JournalPosition(file, bodyPosition - FrameCodec.HEADER_BYTES)) > 0) {
                            throw new AssertionError("a frame lies before the position that was promised");
                        }
                    }
                };
        appended.add(entry);
        journal.append(entry);
    }

    private void checkTail(TestEntry entry) {
        ByteRun run = cache.tryRead(
                PATH.file(entry.durableAt().file()), entry.durableAt().position(), entry.content().length);
        if (run != null) {
            boolean same = run.copy().equals(ByteBuffer.wrap(entry.content()));
            run.release();
            if (!same) {
                simulation.fail(new AssertionError("the tail cache has other bytes than were appended"));
            }
        }
    }

    boolean allTold() {
        return appended.stream().allMatch(e -> e.told() != TestEntry.Told.NOTHING);
    }

    List<TestEntry> durable() {
        return appended.stream().filter(e -> e.told() == TestEntry.Told.DURABLE).toList();
    }

    /** Fences the session until it works, from a process of its own. */
    FencedJournal fence(String name) {
        SimulatedProcess fencer = simulation.process(name);
        Store fencersStore = store.handle(fencer);
        SimulatedLoop loop = fencer.loop("fence");
        JournalFence fence = new JournalFence(
                fencersStore, loop, fencer.clock(), Maker.random(random), new FenceConfig(5, 5, 100, 2_000));
        List<FencedJournal> done = new ArrayList<>();
        loop.execute(() -> fenceUntilDone(fence, loop, done));
        if (!simulation.runUntil(() -> !done.isEmpty(), 3_600_000)) {
            throw new AssertionError("the fence does not end");
        }
        return done.get(0);
    }

    private void fenceUntilDone(JournalFence fence, SimulatedLoop loop, List<FencedJournal> done) {
        var unusedFence = fence.fence(PATH.prefix(), SESSION, 1).whenComplete((fenced, failure) -> {
            if (failure == null) {
                done.add(fenced);
            } else if (StoreCalls.storeFailure(failure) == null) {
                simulation.fail(failure);
            } else {
                var unused = loop.schedule(() -> fenceUntilDone(fence, loop, done), 50);
            }
        });
    }

    /** Loads what a fenced session holds, until it works. */
    SessionIndex replay(FencedJournal fenced, List<JournalDamage> damages) {
        SimulatedProcess reader = simulation.process("reader");
        Store readersStore = store.handle(reader);
        SimulatedLoop loop = reader.loop("replay");
        List<SessionIndex> done = new ArrayList<>();
        loop.execute(() -> replayUntilDone(readersStore, loop, fenced, damages, done));
        if (!simulation.runUntil(() -> !done.isEmpty(), 3_600_000)) {
            throw new AssertionError("the replay does not end");
        }
        return done.get(0);
    }

    private void replayUntilDone(
            Store readersStore,
            SimulatedLoop loop,
            FencedJournal fenced,
            List<JournalDamage> damages,
            List<SessionIndex> done) {
        damages.clear();
        var unusedReplay = new JournalReplay(readersStore, loop, damages::add)
                .load(fenced, lane -> 0)
                .whenComplete((index, failure) -> {
                    if (failure == null) {
                        done.add(index);
                    } else if (StoreCalls.storeFailure(failure) == null) {
                        simulation.fail(failure);
                    } else {
                        var unused =
                                loop.schedule(() -> replayUntilDone(readersStore, loop, fenced, damages, done), 50);
                    }
                });
    }

    /** Everything found in the session, as the entries that were appended; fails if something else or something twice is found. */
    List<TestEntry> found(SessionIndex index) {
        Map<JournalPosition, TestEntry> inOrder = new java.util.TreeMap<>();
        for (int owner = 0; owner < owners.size(); owner++) {
            FrameCursor c = index.frames(0, 1024 + owner, EPOCH, new JournalPosition(0, 0), index.end(0));
            while (c.next()) {
                inOrder.put(new JournalPosition(c.file(), c.bodyPosition()), entryOf(c));
            }
        }
        List<TestEntry> all = new ArrayList<>(inOrder.values());
        if (new java.util.HashSet<>(all).size() != all.size()) {
            throw new AssertionError("a frame was found twice");
        }
        return all;
    }

    private TestEntry entryOf(FrameCursor c) {
        byte[] object = java.util.Objects.requireNonNull(store.snapshot().get(PATH.file(c.file())));
        byte[] body = Arrays.copyOfRange(object, c.bodyPosition(), c.bodyPosition() + c.bodyLength());
        for (TestEntry entry : appended) {
            if (entry.partitionId() == c.partitionId()
                    && entry.baseOffset() == c.baseOffset()
                    && entry.kind() == c.kind()
                    && entry.recordCount() == c.recordCount()
                    && Arrays.equals(entry.content(), body)
                    && (entry.kind() == FrameKind.BATCH || !taken.contains(entry))) {
                if (entry.kind() != FrameKind.BATCH) {
                    taken.add(entry);
                }
                return entry;
            }
        }
        throw new AssertionError("a frame that nobody appended: partition " + c.partitionId() + ", offset "
                + c.baseOffset() + " at " + c.file() + ":" + c.position());
    }

    /** Trims of one partition at one offset look alike: each is matched once. */
    private final java.util.Set<TestEntry> taken = new java.util.HashSet<>();

    /** Begins to match from scratch, for another replay. */
    void rematch() {
        taken.clear();
    }
}
