package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testkit.SeededTest;
import io.forebay.testkit.StoreFaults;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promise of the journal under every fault the simulated store knows: what was reported durable is found by fence and replay, in
 * order, exactly once, by everybody, whatever the writer did meanwhile.
 */
final class JournalFaultTest {

    @SeededTest(fixed = 300, fresh = 100)
    void whatWasAcknowledgedIsFoundInOrderExactlyOnce(long seed) {
        acknowledgedIsFound(new JournalWorld(seed));
    }

    @SeededTest(fixed = 300, fresh = 100)
    void theSameOnAStoreThatCannotAppend(long seed) {
        acknowledgedIsFound(new JournalWorld(seed, JournalWorld.Files.PUT_WHOLE));
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                5801843646393842606L // of sixty reads of one replay always one was told that there is no space, and
                // none was repeated
            })
    void whatASeedFoundStaysMended(long seed) {
        acknowledgedIsFound(new JournalWorld(seed, JournalWorld.Files.PUT_WHOLE));
    }

    private static void acknowledgedIsFound(JournalWorld world) {
        if (world.random.nextInt(4) > 0) {
            world.store.faults(StoreFaults.swarm(world.simulation.random("faults"), 0.15));
        }
        var started = world.journal.start();

        appendForAWhile(world);
        int end = world.random.nextInt(6);
        switch (end) {
            case 0 -> world.store.crash(world.writer);
            case 1 -> world.store.powerLoss();
            case 2 -> world.writer.pause();
            case 3 -> {
                var unused = world.journal.close();
                world.simulation.runFor(world.random.nextInt(500));
            }
            default -> {
                // The writer goes on while it is fenced.
            }
        }
        if (end >= 3) {
            appendForAWhile(world, 50);
        }
        if (world.random.nextBoolean()) {
            world.store.heal();
        }
        FencedJournal fenced = world.fence("fencer");
        world.writer.resume();
        check(world, fenced);
        world.store.heal();
        world.simulation.runFor(200_000);
        check(world, world.fence("another fencer"));
        assertThat(world.fence("a third")).isEqualTo(fenced);
        if (!world.writer.dead()) {
            assertThat(world.allTold()).as("everybody was told").isTrue();
        }
        assertThat(started.isDone() || world.writer.dead()).isTrue();
    }

    /** A writer that is never fenced and whose store gets well again makes everything durable or says that it ended. */
    @SeededTest(fixed = 100, fresh = 50)
    void goesOnInNewFilesWhenWritesFail(long seed) {
        goesOn(new JournalWorld(seed));
    }

    /** The same, putting the same file again until its outcome is known. */
    @SeededTest(fixed = 100, fresh = 50)
    void goesOnWhenPutsFail(long seed) {
        JournalWorld world = new JournalWorld(seed, JournalWorld.Files.PUT_WHOLE);
        goesOn(world);

        assertThat(world.ends).isEmpty();
    }

    private static void goesOn(JournalWorld world) {
        world.store.faults(StoreFaults.swarm(world.simulation.random("faults"), 0.05));
        var started = world.journal.start();
        appendForAWhile(world);
        world.store.heal();
        world.simulation.runFor(200_000);
        assertThat(world.allTold()).isTrue();
        var closed = world.journal.close();
        world.simulation.runFor(200_000);

        assertThat(closed.isDone() && started.isDone()).isTrue();
        if (world.ends.isEmpty()) {
            assertThat(world.durable()).hasSameSizeAs(world.appended);
        } else {
            assertThat(world.ends.get(0).reason()).isEqualTo(JournalEndedException.Reason.STORE_FAILED);
        }
        check(world, world.fence("fencer"));
    }

    private static void appendForAWhile(JournalWorld world) {
        appendForAWhile(world, 150);
    }

    private static void appendForAWhile(JournalWorld world, int most) {
        int count = world.random.nextInt(most);
        for (int i = 0; i < count; i++) {
            world.appendSoon();
            if (world.random.nextInt(3) == 0) {
                world.simulation.runFor(world.random.nextInt(20));
            }
        }
    }

    private static void check(JournalWorld world, FencedJournal fenced) {
        List<JournalDamage> damages = new ArrayList<>();
        SessionIndex index = world.replay(fenced, damages);
        world.rematch();
        List<TestEntry> found = world.found(index);

        assertThat(damages).isEmpty();
        assertThat(found).containsAll(world.durable());
        // What a loop appended is found in its order, from the first on without a hole.
        Map<Integer, Integer> seen = new HashMap<>();
        for (TestEntry entry : found) {
            int nth = seen.merge(entry.shard(), 1, Integer::sum) - 1;
            TestEntry expected = world.appended.stream()
                    .filter(e -> e.shard() == entry.shard())
                    .skip(nth)
                    .findFirst()
                    .orElseThrow();
            assertThat(entry.baseOffset()).isEqualTo(expected.baseOffset());
            assertThat(entry.partitionId()).isEqualTo(expected.partitionId());
        }
        for (List<TestEntry> told : world.toldByLoop) {
            List<TestEntry> asAppended =
                    world.appended.stream().filter(told::contains).toList();
            assertThat(told).isEqualTo(asAppended);
        }
    }
}
