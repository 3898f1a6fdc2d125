package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.cache.CacheConfig;
import io.forebay.log.cache.PageCache;
import io.forebay.store.PutOutcome;
import io.forebay.store.memory.MemoryStore;
import io.forebay.testkit.SeededTest;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.Simulation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** What a replay finds in a journal file whose bytes were damaged or cut off, and what it says about it. */
final class JournalDamageTest {

    private static final JournalPath PATH = JournalPath.ofSession(8, 0);

    private record Frame(int from, int to, long offset, int durableEnd) {}

    @SeededTest(fixed = 100, fresh = 50)
    void aTornTailEndsSilently(long seed) {
        World world = new World(seed);
        byte[] bytes = world.write(false);
        int cut = world.random.nextInt(bytes.length + 1);
        byte[] torn = new byte[cut + world.random.nextInt(200)];
        System.arraycopy(bytes, 0, torn, 0, cut);

        Found found = world.replay(torn);

        assertThat(found.damages()).isEmpty();
        assertThat(found.offsets())
                .isEqualTo(world.frames.stream()
                        .filter(f -> f.to() <= cut)
                        .map(Frame::offset)
                        .toList());
    }

    @SeededTest(fixed = 100, fresh = 50)
    void damageBelowADurableEndIsNamedAndTheRestServed(long seed) {
        World world = new World(seed);
        byte[] bytes = world.write(false);
        int from = world.random.nextInt(bytes.length);
        int to = Math.min(bytes.length, from + 1 + world.random.nextInt(world.random.nextInt(5) == 0 ? 2_000 : 20));
        spoil(bytes, from, to, world.random);
        List<Frame> whole = world.frames.stream()
                .filter(f -> f.to() <= from || f.from() >= to)
                .toList();
        // A header says what was durable even if its body is damaged.
        int proven = world.frames.stream()
                .filter(f -> f.from() + FrameCodec.HEADER_BYTES <= from || f.from() >= to)
                .mapToInt(Frame::durableEnd)
                .max()
                .orElse(0);

        Found found = world.replay(bytes);

        boolean damaged = from < proven;
        // Damage that reaches beyond the proven end hides whether what lies behind it was acknowledged: frames end
        // there.
        int gapEnd = whole.stream()
                .filter(f -> f.from() >= to)
                .mapToInt(Frame::from)
                .min()
                .orElse(bytes.length);
        boolean restServed = damaged && gapEnd <= proven;
        assertThat(found.offsets())
                .isEqualTo(whole.stream()
                        .filter(f -> restServed || f.to() <= from)
                        .map(Frame::offset)
                        .toList());
        if (damaged) {
            assertThat(found.damages()).isNotEmpty();
            assertThat(found.damages().get(0).position()).isLessThanOrEqualTo(from);
            JournalDamage last = found.damages().get(found.damages().size() - 1);
            assertThat(last.position() + last.length()).isGreaterThanOrEqualTo(Math.min(to, proven));
        } else {
            assertThat(found.damages()).isEmpty();
        }
    }

    @SeededTest
    void aDamagedIndexIsReportedAndReplacedByAScan(long seed) {
        World world = new World(seed);
        byte[] bytes = world.write(true);
        int framesEnd = world.frames.get(world.frames.size() - 1).to();
        assertThat(world.replay(bytes.clone()).damages()).isEmpty();
        int at = framesEnd + world.random.nextInt(bytes.length - framesEnd - JournalTrailer.BYTES);
        spoil(bytes, at, at + 1, world.random);

        Found found = world.replay(bytes);

        assertThat(found.damages()).hasSize(1);
        assertThat(found.damages().get(0).position()).isEqualTo(framesEnd);
        assertThat(found.offsets())
                .isEqualTo(world.frames.stream().map(Frame::offset).toList());
    }

    private static void spoil(byte[] bytes, int from, int to, RandomGenerator random) {
        for (int i = from; i < to; i++) {
            bytes[i] ^= (byte) (1 + random.nextInt(255));
        }
    }

    private record Found(List<Long> offsets, List<JournalDamage> damages) {}

    private static final class World {
        private final Simulation simulation;
        private final RandomGenerator random;
        private final List<Frame> frames = new ArrayList<>();

        World(long seed) {
            simulation = new Simulation(seed);
            random = simulation.random("world");
        }

        /** The bytes of a journal's file 0. */
        byte[] write(boolean closed) {
            MemoryStore store = new MemoryStore();
            PageCache cache = new PageCache(store, new CacheConfig(1_024, 64 << 10, 16 << 10, 4_096));
            SimulatedLoop owner = simulation.loop("owner");
            Journal journal = new Journal(
                    PATH,
                    new Maker(1, 2),
                    store,
                    simulation.loop("journal"),
                    simulation.clock(),
                    cache,
                    JournalConfig.DEFAULT,
                    1,
                    e -> {});
            var started = journal.start();
            List<TestEntry> told = new ArrayList<>();
            int durableEnd = 0;
            int groups = 2 + random.nextInt(10);
            long offset = 0;
            for (int g = 0; g < groups; g++) {
                int inGroup = 1 + random.nextInt(4);
                for (int i = 0; i < inGroup; i++) {
                    ByteBuffer batch = TestBatches.batch(offset, 1, 61 + random.nextInt(300), random);
                    journal.append(new TestEntry(FrameKind.BATCH, 1024, 1, 7, offset++, 1, batch, owner, told));
                }
                simulation.runFor(10);
                for (TestEntry entry : told.subList(told.size() - inGroup, told.size())) {
                    int body = entry.durableAt().position();
                    frames.add(new Frame(body - 64, body + entry.content().length, entry.baseOffset(), durableEnd));
                }
                durableEnd = frames.get(frames.size() - 1).to();
            }
            if (closed) {
                var closing = journal.close();
                simulation.runFor(10);
                assertThat(closing).isCompleted();
            }
            assertThat(started).isCompleted();
            int size = (int) store.list(PATH.lanePrefix(), "", 1).join().get(0).sizeBytes();
            ByteBuffer bytes = ByteBuffer.allocate(size);
            assertThat(store.read(PATH.file(0), 0, bytes).join()).isEqualTo(size);
            return bytes.array();
        }

        Found replay(byte[] file) {
            MemoryStore store = new MemoryStore();
            assertThat(store.putIfAbsent(PATH.file(0), ByteBuffer.wrap(file)).join())
                    .isEqualTo(PutOutcome.WRITTEN);
            SimulatedLoop loop = simulation.loop("replay");
            List<JournalDamage> damages = new ArrayList<>();
            var fenced = new JournalFence(store, loop, simulation.clock(), new Maker(3, 4), FenceConfig.DEFAULT)
                    .fence(PATH.prefix(), PATH.session(), 1);
            simulation.runFor(10);
            var loaded = new JournalReplay(store, loop, damages::add).load(fenced.join(), lane -> 0);
            simulation.runFor(10);
            SessionIndex index = loaded.join();
            List<Long> offsets = new ArrayList<>();
            FrameCursor c = index.frames(0, 1024, 1, new JournalPosition(0, 0), index.end(0));
            while (c.next()) {
                if (!c.damaged()) {
                    offsets.add(c.baseOffset());
                }
            }
            return new Found(offsets, damages);
        }
    }
}
