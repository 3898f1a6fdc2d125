package io.forebay.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.journal.JournalPath;
import io.forebay.model.ShardId;
import io.forebay.store.ObjectKey;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A shard whose partitions were all deleted is opened by nobody who wants to read or write; the journal files that it names must go nevertheless. */
class ClosedShardTest {

    private static final long PARTITION = 4;

    @Test
    void namesShardsThatKeepFilesAndDeletesTheseOnceTheShardsAreOpen() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(1 << 30));
        world.start();
        long ended = world.live().log.session();
        PartitionModel model = world.model(PARTITION);
        appendUntil(world, model, JournalPath.ofSession(ended, 0).file(1));
        for (int number = 0; number < world.shardCount; number++) {
            int shard = number;
            world.await(number, () -> world.shard(shard).flush());
        }
        appendUntil(world, model, JournalPath.ofSession(ended, 0).file(3));
        model.delete();
        world.simulation.runFor(1_000);
        world.crash();
        world.leavesClosed = true;
        world.start();
        Set<ShardId> told = new TreeSet<>();
        world.live().log.onKeptByClosed(told::add);

        world.simulation.runFor(60_000);

        assertThat(told).contains(new ShardId(1 + world.shardOf(PARTITION)));
        assertThat(files(world, ended)).hasSizeBetween(4, 5);

        open(world, Set.copyOf(told));
        world.simulation.runFor(100_000);

        assertThat(files(world, ended)).as("only the tombstone").hasSize(1);
        told.clear();
        world.simulation.runFor(100_000);
        assertThat(told).isEmpty();
    }

    private static void appendUntil(LogWorld world, PartitionModel model, ObjectKey file) {
        while (!world.store.snapshot().containsKey(file)) {
            for (int i = 0; i < 20; i++) {
                model.append(10, 10_000);
                world.simulation.runFor(10);
            }
        }
        world.simulation.runFor(100);
    }

    private static void open(LogWorld world, Set<ShardId> shards) {
        for (ShardId shard : shards) {
            var opened =
                    world.live().log.open(shard, world.nextEpoch(), world.live().loopOf(shard.value()));
            assertThat(world.simulation.runUntil(opened::isDone, LogWorld.PATIENCE_MS))
                    .isTrue();
            assertThat(opened).isCompleted();
        }
    }

    private static List<ObjectKey> files(LogWorld world, long session) {
        String prefix = JournalPath.ofSession(session, 0).lanePrefix();
        return world.store.snapshot().keySet().stream()
                .filter(key -> key.value().startsWith(prefix))
                .toList();
    }
}
