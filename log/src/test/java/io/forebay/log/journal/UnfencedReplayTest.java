package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testkit.SeededTest;
import io.forebay.testkit.SimulatedLoop;
import io.forebay.testkit.StoreFaults;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * What others read of a journal whose session goes on: exactly what was acknowledged before the position they were told, wherever it lies in whichever file, however often
 * the writer has failed and gone on meanwhile.
 */
final class UnfencedReplayTest {

    @SeededTest(fixed = 200, fresh = 50)
    void findsExactlyWhatWasAcknowledgedBeforeAPosition(long seed) {
        reads(new JournalWorld(seed));
    }

    @SeededTest(fixed = 100, fresh = 50)
    void theSameOnAStoreThatCannotAppend(long seed) {
        reads(new JournalWorld(seed, JournalWorld.Files.PUT_WHOLE));
    }

    private static void reads(JournalWorld world) {
        if (world.random.nextInt(3) > 0) {
            world.store.faults(StoreFaults.swarm(world.simulation.random("faults"), 0.03));
        }
        var unused = world.journal.start();
        List<JournalDamage> damages = new ArrayList<>();
        var reader = world.simulation.process("reader");
        SimulatedLoop loop = reader.loop("home");
        UnfencedReplay replay =
                new UnfencedReplay(world.store.handle(reader), loop, reader.loop("merge"), damages::add);
        for (int i = 0; i < 8; i++) {
            for (int n = world.random.nextInt(60); n >= 0; n--) {
                world.appendSoon();
                world.simulation.runFor(world.random.nextInt(5));
            }
            JournalPosition end = end(world);
            if (world.random.nextInt(4) == 0) {
                loop.execute(replay::forget);
            }
            if (end.compareTo(new JournalPosition(0, 0)) > 0) {
                SessionIndex index = load(world, replay, end);
                world.simulation.runFor(100);
                world.rematch();
                check(world, end, world.found(index));
            }
        }

        assertThat(damages).isEmpty();
    }

    /** Where the journal is now, or where a roll has left it. */
    private static JournalPosition end(JournalWorld world) {
        JournalPosition next = world.journal.nextPosition();
        if (world.random.nextBoolean() || next.position() == 0) {
            return next;
        }
        CompletableFuture<Optional<JournalPosition>> rolled = world.journal.roll(next.file());
        boolean done = world.simulation.runUntil(rolled::isDone, 600_000);
        assertThat(done).isTrue();
        if (rolled.isCompletedExceptionally()) {
            return next;
        }
        assertThat(world.journal.closedFiles()).anyMatch(file -> file.number() == next.file());
        rolled.join().ifPresent(end -> assertThat(end).isGreaterThanOrEqualTo(next));
        return rolled.join().orElse(next);
    }

    private static SessionIndex load(JournalWorld world, UnfencedReplay replay, JournalPosition end) {
        for (int tries = 0; tries < 1_000; tries++) {
            var loaded = replay.load(JournalWorld.PATH, new JournalPosition(0, 0), end);
            assertThat(world.simulation.runUntil(loaded::isDone, 600_000)).isTrue();
            if (!loaded.isCompletedExceptionally()) {
                return loaded.join();
            }
        }
        throw new AssertionError("it cannot be read");
    }

    private static void check(JournalWorld world, JournalPosition end, List<TestEntry> found) {
        Set<TestEntry> expected = new HashSet<>();
        for (TestEntry entry : world.durable()) {
            JournalPosition body = entry.durableAt();
            if (new JournalPosition(body.file(), body.position() - FrameCodec.HEADER_BYTES).compareTo(end) < 0) {
                expected.add(entry);
            }
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }
}
