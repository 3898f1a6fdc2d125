package io.forebay.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.log.batch.BatchView;
import io.forebay.log.shard.PartitionView;
import io.forebay.log.shard.ShardView;
import io.forebay.model.ShardId;
import io.forebay.testkit.SeededTest;
import io.forebay.testkit.SimulatedLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Another node reads a shard from the store while its owner appends, trims, flushes and merges: what it serves is what was acknowledged, up to where segments reach, and
 * what it does not have it does not answer.
 */
class ShardViewTest {

    @SeededTest(fixed = 40, fresh = 20)
    void servesWhatSegmentsHoldAndNothingElse(long seed) {
        new Run(seed).run();
    }

    @Test
    void comesToEverythingThatIsRare() {
        Set<String> reached = new TreeSet<>();
        for (long seed = 1; seed <= 20; seed++) {
            Run run = new Run(seed);
            run.run();
            reached.addAll(run.world.reached);
        }
        assertEquals(Set.of("served", "below the start", "at the end", "a segment was replaced"), reached);
    }

    private static final class Run {

        private final LogWorld world;
        private final Map<Integer, ShardView> views = new TreeMap<>();
        private final SimulatedLoop loop;
        private Set<Object> segments = Set.of();

        Run(long seed) {
            world = new LogWorld(seed);
            world.start();
            for (int shard = 0; shard < world.shardCount; shard++) {
                world.owners.put(shard, world.live());
            }
            world.cleaner = world.live().log.session();
            LogWorld.Life reader = world.join().orElseThrow();
            loop = reader.loops.get(0);
            for (int shard = 0; shard < world.shardCount; shard++) {
                CompletableFuture<ShardView> view = reader.log.view(new ShardId(1 + shard), loop);
                views.put(shard, await(() -> view));
            }
        }

        void run() {
            List<Long> ids = new ArrayList<>();
            for (long id = world.random.nextInt(5); id >= 0; id--) {
                ids.add(id);
            }
            for (int step = 0; step < 150; step++) {
                PartitionModel model = world.model(ids.get(world.random.nextInt(ids.size())));
                int drawn = world.random.nextInt(100);
                if (drawn < 40) {
                    for (int i = world.random.nextInt(10); i >= 0; i--) {
                        model.append(1 + world.random.nextInt(20), 100 + world.random.nextInt(3_000));
                    }
                } else if (drawn < 55) {
                    world.simulation.runFor(1 + world.random.nextInt(3_000));
                } else if (drawn < 60) {
                    model.trim(model.start + world.random.nextInt(100));
                } else {
                    read(model);
                }
            }
            world.simulation.runFor(20_000);
            assertTrue(!world.live().log.ended().isDone(), "the owner has ended");
            world.models.values().forEach(this::readAllOf);
            assertEquals(List.of(), world.damages);
        }

        private void read(PartitionModel model) {
            long high = world.partition(model.id).highWatermark();
            long offset = world.random.nextLong(high + 2);
            Optional<ShardView.Found> found = at(model, offset);
            long before = world.partition(model.id).segmentedTo();
            noteSegments(model);
            if (found.isEmpty()) {
                world.reached.add(offset < model.start ? "below the start" : "at the end");
                return;
            }
            world.reached.add("served");
            check(model, offset, found.get());
            assertTrue(found.get().partition().endOffset() <= before, "an end that the owner does not know");
        }

        /** Whatever the owner says to be in segments can be read here a second later. */
        private void readAllOf(PartitionModel model) {
            long end = world.partition(model.id).segmentedTo();
            world.simulation.runFor(1_001);
            long at = world.partition(model.id).startOffset();
            while (at < end) {
                long from = at;
                Optional<ShardView.Found> found = at(model, at);
                assertTrue(found.isPresent(), () -> "partition " + model.id + ": not available: " + from);
                at = check(model, at, found.get());
            }
            Optional<ShardView.Found> behind =
                    at(model, world.partition(model.id).highWatermark());
            assertTrue(behind.isEmpty());
        }

        private Optional<ShardView.Found> at(PartitionModel model, long offset) {
            ShardView view = view(model);
            boolean committed = world.random.nextBoolean();
            int maxBytes = 1 + world.random.nextInt(20_000);
            return await(() -> view.read(model.id, offset, committed, maxBytes, true));
        }

        private ShardView view(PartitionModel model) {
            ShardView view = views.get(world.shardOf(model.id));
            if (view == null) {
                throw new AssertionError("no view");
            }
            return view;
        }

        private void noteSegments(PartitionModel model) {
            Set<Object> now = new TreeSet<>();
            world.shard(world.shardOf(model.id))
                    .manifest()
                    .segments()
                    .forEach(segment -> now.add(segment.key().value()));
            if (!now.containsAll(segments)) {
                world.reached.add("a segment was replaced");
            }
            segments = world.shardCount == 1 ? now : Set.of();
        }

        private long check(PartitionModel model, long offset, ShardView.Found found) {
            PartitionView partition = found.partition();
            assertTrue(partition.startOffset() <= offset && offset < partition.endOffset());
            assertTrue(partition.lastStableOffset() <= partition.endOffset());
            ByteBuffer bytes = found.records().copy();
            found.records().release();
            assertTrue(bytes.hasRemaining(), () -> "partition " + model.id + ": nothing at " + offset);
            long at = offset;
            while (bytes.hasRemaining()) {
                int size = BatchView.sizeBytes(bytes, bytes.position());
                PartitionModel.Sent expected = model.holding(at);
                assertEquals(expected.baseOffset(), BatchView.baseOffset(bytes, bytes.position()));
                assertEquals(
                        expected.bytes()
                                .slice(BatchView.CRC_FROM, expected.bytes().capacity() - BatchView.CRC_FROM),
                        bytes.slice(bytes.position() + BatchView.CRC_FROM, size - BatchView.CRC_FROM));
                at = expected.nextOffset();
                bytes.position(bytes.position() + size);
            }
            assertTrue(at <= partition.endOffset() && at <= model.ackedTo);
            return at;
        }

        private <T> T await(Supplier<CompletableFuture<T>> work) {
            CompletableFuture<T> result = new CompletableFuture<>();
            loop.execute(() -> {
                var unused = work.get().whenComplete((value, thrown) -> {
                    if (thrown == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(thrown);
                    }
                });
            });
            assertTrue(world.simulation.runUntil(result::isDone, LogWorld.PATIENCE_MS), "no answer");
            return result.join();
        }
    }
}
