package io.forebay.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.log.shard.Shard;
import io.forebay.log.shard.ShardHeldException;
import io.forebay.log.shard.ShardLostException;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import io.forebay.testkit.SeededTest;
import io.forebay.testkit.StoreFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Random lives of several nodes on one store, between which shards move: released by living sessions, taken from dead or fenced ones. Whatever was acknowledged
 * is there, once and in order, for every owner; nobody opens what somebody else may still write.
 */
class LogMoveTest {

    private static final int NODES = 3;
    private static final int TRIES = 100;

    @SeededTest(fixed = 60, fresh = 20)
    void keepsWhatItAcknowledgedOnAHealthyStore(long seed) {
        new Run(new LogWorld(seed)).run(StoreFaults.NONE, 200);
    }

    @SeededTest(fixed = 60, fresh = 20)
    void keepsWhatItAcknowledgedOnAFaultyStore(long seed) {
        LogWorld world = new LogWorld(seed);
        new Run(world).run(StoreFaults.swarm(world.random, 0.03), 120);
    }

    @SeededTest(fixed = 40, fresh = 20)
    void keepsWhatItAcknowledgedOnAStoreWithoutAppend(long seed) {
        LogWorld world = new LogWorld(seed);
        world.store.withoutAppend();
        new Run(world).run(seed % 2 == 0 ? StoreFaults.NONE : StoreFaults.swarm(world.random, 0.03), 120);
    }

    @Test
    void comesToEverythingThatIsRare() {
        Set<String> reached = new TreeSet<>();
        for (long seed = 1; seed <= 20; seed++) {
            LogWorld world = new LogWorld(seed);
            new Run(world).run(StoreFaults.NONE, 200);
            reached.addAll(world.reached);
        }
        assertEquals(
                Set.of(
                        "a shard came back to a session that had written it before",
                        "a manifest names journals of several living sessions",
                        "an opening was cancelled",
                        "an opening was refused",
                        "an owner was fenced and came back"),
                reached);
    }

    private static final class Run {

        private final LogWorld world;
        private final List<LogWorld.Life> nodes = new ArrayList<>();
        /** Sessions that each shard was opened under. */
        private final List<Set<Long>> owned = new ArrayList<>();

        Run(LogWorld world) {
            this.world = world;
        }

        void run(StoreFaults faults, int steps) {
            world.store.faults(faults);
            for (int shard = 0; shard < world.shardCount; shard++) {
                owned.add(new TreeSet<>());
            }
            addNodes();
            for (int shard = 0; shard < world.shardCount; shard++) {
                assign(shard);
            }
            List<Long> ids = new ArrayList<>();
            for (long id = world.random.nextInt(8); id >= 0; id--) {
                ids.add(id);
            }
            for (int step = 0; step < steps; step++) {
                replaceTheDead();
                step(ids, !faults.equals(StoreFaults.NONE));
            }
            settle();
        }

        private void step(List<Long> ids, boolean faulty) {
            PartitionModel model = world.model(ids.get(world.random.nextInt(ids.size())));
            int drawn = world.random.nextInt(100);
            if (drawn < 55) {
                int bytes = 100 + world.random.nextInt(world.random.nextInt(20) == 0 ? 80_000 : 2_000);
                for (int i = world.random.nextInt(10); i >= 0; i--) {
                    model.append(1 + world.random.nextInt(20), bytes);
                }
            } else if (drawn < 70) {
                world.simulation.runFor(1 + world.random.nextInt(300));
            } else if (drawn < 76 && !faulty) {
                model.check();
                long end = world.partition(model.id).highWatermark();
                long from = world.partition(model.id).startOffset();
                if (end > from) {
                    model.readFrom(from + world.random.nextLong(end - from));
                }
            } else if (drawn < 80) {
                model.trim(Math.min(world.partition(model.id).highWatermark(), model.start + world.random.nextInt(50)));
            } else if (drawn < 90) {
                move(world.random.nextInt(world.shardCount));
            } else if (drawn < 92) {
                LogWorld.Life dead = nodes.get(world.random.nextInt(nodes.size()));
                settleUnknown(dead);
                world.store.crash(dead.process);
                end(dead);
            } else if (drawn < 94) {
                pauseAndFence(nodes.get(world.random.nextInt(nodes.size())));
            } else {
                world.simulation.runFor(1 + world.random.nextInt(5_000));
            }
        }

        private void addNodes() {
            for (int tries = 0; nodes.size() < NODES && tries < TRIES; tries++) {
                world.join().ifPresentOrElse(nodes::add, () -> world.recorded.add(world.session()));
            }
            assertEquals(NODES, nodes.size());
            world.cleaner = nodes.get(world.random.nextInt(NODES)).log.session();
        }

        private void replaceTheDead() {
            for (LogWorld.Life node : List.copyOf(nodes)) {
                if (node.log.ended().isDone()) {
                    settleUnknown(node);
                    end(node);
                }
            }
        }

        private void pauseAndFence(LogWorld.Life node) {
            settleUnknown(node);
            node.process.pause();
            end(node);
            node.process.resume();
            for (Shard shard : node.shards.values()) {
                world.simulation.runFor(world.random.nextInt(50));
                appendToZombie(node, shard);
            }
            until("told that it is fenced", () -> {
                CompletableFuture<Boolean> proved = node.log.prove();
                return node.log.ended().isDone() || (succeeds(proved) && !proved.join());
            });
            world.reached.add("an owner was fenced and came back");
        }

        private void appendToZombie(LogWorld.Life node, Shard shard) {
            long partitionId = 1_000_000L + shard.id().value();
            var batch = LogWorld.batch(world.random, 1, 100, -1, 0, 0);
            shard.loop().execute(() -> {
                if (!node.log.ended().isDone()) {
                    long unused = shard.createPartition(partitionId).append(batch, new LogWorld.Told() {
                        @Override
                        public void durable(long baseOffset) {
                            throw new AssertionError("a fenced session acknowledged something");
                        }
                    });
                }
            });
        }

        /** What the node's partitions have in flight may be there or not. */
        private void settleUnknown(LogWorld.Life node) {
            for (PartitionModel model : world.models.values()) {
                if (world.ownerOf(world.shardOf(model.id)) == node) {
                    model.beforeCrash();
                }
            }
        }

        /** The controller decides that the session is over: fences it, records that, and gives its shards to others. */
        private void end(LogWorld.Life node) {
            nodes.remove(node);
            if (world.random.nextBoolean()) {
                refuses(node);
            }
            addNodes();
            until("fenced", () -> {
                CompletableFuture<Void> fenced =
                        nodes.get(world.random.nextInt(NODES)).log.fence(node.log.session());
                return succeeds(fenced);
            });
            world.recorded.add(node.log.session());
            for (int shard = 0; shard < world.shardCount; shard++) {
                if (world.owners.get(shard) == node) {
                    assign(shard);
                }
            }
        }

        /** Nobody opens the shard of a session that may still be alive. */
        private void refuses(LogWorld.Life owner) {
            for (int shard = 0; shard < world.shardCount; shard++) {
                if (world.owners.get(shard) == owner && owner.shards.containsKey(shard) && !nodes.isEmpty()) {
                    LogWorld.Life other = nodes.get(world.random.nextInt(nodes.size()));
                    var opening = other.log.open(new ShardId(1 + shard), world.nextEpoch(), other.loopOf(shard));
                    world.simulation.runUntil(opening::isDone, LogWorld.PATIENCE_MS);
                    Throwable cause = failure(opening);
                    assertTrue(
                            cause instanceof ShardHeldException || cause instanceof StoreException,
                            () -> "opened what may be written: " + cause);
                    world.reached.add("an opening was refused");
                }
            }
        }

        private void move(int shard) {
            LogWorld.Life from = world.ownerOf(shard);
            Shard open = world.shard(shard);
            CompletableFuture<Void> released = new CompletableFuture<>();
            open.loop().execute(() -> {
                var unused = open.release().whenComplete((done, thrown) -> {
                    if (thrown == null) {
                        released.complete(null);
                    } else {
                        released.completeExceptionally(thrown);
                    }
                });
            });
            if (world.random.nextBoolean()) {
                for (PartitionModel model : world.models.values()) {
                    model.append(1, 100);
                }
            }
            if (!succeeds(released)) {
                return;
            }
            for (PartitionModel model : world.models.values()) {
                if (world.shardOf(model.id) == shard) {
                    model.inFlight = 0;
                    model.beforeCrash();
                }
            }
            from.shards.remove(shard);
            assign(shard);
        }

        /** Gives a shard to a node under the next epoch, until one of them has opened it. */
        private void assign(int shard) {
            until("opened", () -> {
                replaceTheDead();
                // The end of a node gives its shards to others, this one maybe among them.
                LogWorld.Life owner = world.owners.get(shard);
                return (owner != null && nodes.contains(owner) && owner.shards.containsKey(shard))
                        || opens(shard, nodes.get(world.random.nextInt(nodes.size())));
            });
            for (PartitionModel model : world.models.values()) {
                if (world.shardOf(model.id) == shard) {
                    model.afterRestart();
                }
            }
        }

        private boolean opens(int shard, LogWorld.Life to) {
            long epoch = world.nextEpoch();
            world.owners.put(shard, to);
            var opening = to.log.open(new ShardId(1 + shard), epoch, to.loopOf(shard));
            if (world.random.nextInt(10) == 0) {
                world.simulation.runFor(world.random.nextInt(20));
                to.log.cancelOpen(new ShardId(1 + shard), epoch);
            }
            world.simulation.runUntil(opening::isDone, LogWorld.PATIENCE_MS);
            if (opening.isDone() && !opening.isCompletedExceptionally()) {
                Shard open = opening.join();
                to.shards.put(shard, open);
                noteRanges(shard, to, open);
                return true;
            }
            Throwable cause = failure(opening);
            if (cause instanceof ShardLostException && !to.log.ended().isDone()) {
                world.reached.add("an opening was cancelled");
            } else if (!to.log.ended().isDone() && !(cause instanceof StoreException)) {
                throw new AssertionError("not opened", cause);
            } else if (cause instanceof StoreException) {
                // Whether a manifest of this epoch counts is not known: only a fence tells.
                world.store.crash(to.process);
                settleUnknown(to);
                end(to);
            }
            return world.ownerOf(shard).shards.containsKey(shard);
        }

        private void noteRanges(int shard, LogWorld.Life to, Shard open) {
            long session = to.log.session();
            long before = open.manifest().ranges().stream()
                    .filter(range -> !world.recorded.contains(range.session()))
                    .map(range -> range.session())
                    .distinct()
                    .count();
            if (before > 2) {
                world.reached.add("a manifest names journals of several living sessions");
            }
            if (!owned.get(shard).add(session)) {
                world.reached.add("a shard came back to a session that had written it before");
            }
        }

        private boolean succeeds(CompletableFuture<?> future) {
            return world.simulation.runUntil(future::isDone, LogWorld.PATIENCE_MS)
                    && !future.isCompletedExceptionally();
        }

        private static Throwable failure(CompletableFuture<?> future) {
            return future.handle((value, thrown) ->
                            thrown == null ? new AssertionError("it succeeded") : Retry.unwrap(thrown))
                    .getNow(new AssertionError("no answer"));
        }

        private void until(String what, BooleanSupplier done) {
            for (int tries = 0; tries < TRIES; tries++) {
                if (done.getAsBoolean()) {
                    return;
                }
                world.simulation.runFor(100);
            }
            throw new AssertionError("never " + what);
        }

        /** Ends the faults, waits until late requests have come, and looks at everything from two owners. */
        private void settle() {
            world.store.heal();
            world.simulation.runFor(130_000);
            replaceTheDead();
            for (int owner = 0; owner < 2; owner++) {
                for (int shard = 0; shard < world.shardCount; shard++) {
                    move(shard);
                }
                world.models.values().forEach(PartitionModel::readAll);
                world.models.values().forEach(PartitionModel::check);
                world.simulation.runFor(60_000);
            }
            world.simulation.runFor(20 * 60_000);
            checkEndedJournals();
            world.models.values().forEach(PartitionModel::readAll);
            assertEquals(List.of(), world.damages);
        }

        /** Whoever deletes it: of a session that has ended a tombstone is left in each lane. */
        private void checkEndedJournals() {
            Map<String, Integer> files = new TreeMap<>();
            for (ObjectKey key : world.store.snapshot().keySet()) {
                String lane = key.value().substring(0, key.value().lastIndexOf('/'));
                if (key.value().startsWith("journal/")
                        && world.recorded.contains(Long.parseLong(lane.substring(8, 28)))) {
                    files.merge(lane, 1, Integer::sum);
                }
            }
            files.forEach((lane, count) -> assertEquals(1, count, () -> "files left in " + lane));
        }
    }
}
