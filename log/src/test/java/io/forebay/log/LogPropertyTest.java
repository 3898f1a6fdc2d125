package io.forebay.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.log.journal.JournalPath;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestCodec;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.shard.Shard;
import io.forebay.store.ObjectKey;
import io.forebay.testkit.SeededTest;
import io.forebay.testkit.StoreFaults;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random lives of one node on one store, against a model: every acknowledged record is readable exactly once at its offset,
 * offsets are dense, high watermark and start never go back, what is remembered survives, no named object is deleted, and no
 * unnamed one stays.
 */
class LogPropertyTest {

    @SeededTest(fixed = 60, fresh = 20)
    void keepsWhatItAcknowledgedOnAHealthyStore(long seed) {
        run(new LogWorld(seed), StoreFaults.NONE, 250);
    }

    @SeededTest(fixed = 60, fresh = 20)
    void keepsWhatItAcknowledgedOnAFaultyStore(long seed) {
        LogWorld world = new LogWorld(seed);
        run(world, StoreFaults.swarm(world.random, 0.03), 150);
    }

    /** The runs above would prove little if they never came to what is rare. */
    @Test
    void comesToEverythingThatIsRare() {
        Set<String> reached = new TreeSet<>();
        for (long seed = 1; seed <= 25; seed++) {
            LogWorld world = new LogWorld(seed);
            run(world, StoreFaults.NONE, 250);
            reached.addAll(world.reached);
        }
        assertEquals(
                Set.of(
                        "a journal file was deleted",
                        "a segment was deleted",
                        "a flush left frames in the journal",
                        "a segment holds several partitions",
                        "memories are in a snapshot",
                        "several segments were merged",
                        "merged segments were merged"),
                reached);
    }

    private static void run(LogWorld world, StoreFaults faults, int steps) {
        world.store.faults(faults);
        world.start();
        List<Long> ids = new ArrayList<>();
        for (long id = world.random.nextInt(8); id >= 0; id--) {
            ids.add(id);
        }
        for (int step = 0; step < steps; step++) {
            if (world.live().log.ended().isDone()) {
                restart(world, false);
            }
            step(world, ids, !faults.equals(StoreFaults.NONE));
            note(world);
        }
        settle(world);
    }

    private static void step(LogWorld world, List<Long> ids, boolean faulty) {
        int at = world.random.nextInt(ids.size());
        PartitionModel model = world.model(ids.get(at));
        int drawn = world.random.nextInt(100);
        if (drawn < 50) {
            int bytes = 100 + world.random.nextInt(world.random.nextInt(20) == 0 ? 80_000 : 2_000);
            for (int i = world.random.nextInt(10); i >= 0; i--) {
                model.append(1 + world.random.nextInt(20), bytes);
            }
        } else if (drawn < 70) {
            world.simulation.runFor(1 + world.random.nextInt(300));
        } else if (drawn < 80 && !faulty) {
            model.check();
            long end = world.partition(model.id).highWatermark();
            long from = world.partition(model.id).startOffset();
            if (end > from) {
                model.readFrom(from + world.random.nextLong(end - from));
            }
        } else if (drawn < 84 && !faulty) {
            model.findByTime(world.random.nextInt(1_100_000));
        } else if (drawn < 90) {
            long end = world.partition(model.id).highWatermark();
            model.trim(world.random.nextInt(3) == 0 ? end : Math.min(end, model.start + world.random.nextInt(50)));
        } else if (drawn < 94) {
            restart(world, world.random.nextInt(3) == 0);
        } else if (drawn == 94) {
            model.delete();
            ids.set(at, model.id + 100);
        } else if (drawn < 97 && !faulty) {
            reopen(world, world.random.nextInt(world.shardCount));
        } else {
            world.simulation.runFor(1 + world.random.nextInt(3_000));
        }
    }

    private static void restart(LogWorld world, boolean powerLoss) {
        world.models.values().forEach(PartitionModel::beforeCrash);
        if (powerLoss) {
            world.powerLoss();
        } else {
            world.crash();
        }
        world.start();
        world.models.values().forEach(PartitionModel::afterRestart);
    }

    private static void note(LogWorld world) {
        for (Shard shard : world.live().shards.values()) {
            Manifest manifest = shard.manifest();
            if (manifest.snapshot().isPresent()) {
                world.reached.add("memories are in a snapshot");
            }
            if (manifest.memories().stream().anyMatch(memory -> memory.getInJournal() > 0)) {
                world.reached.add("a flush left frames in the journal");
            }
            for (SegmentEntry segment : manifest.segments()) {
                world.segmentsSeen.add(segment.key());
                if (segment.parts().size() > 1) {
                    world.reached.add("a segment holds several partitions");
                }
                if (segment.level() > 0) {
                    world.reached.add(
                            segment.level() == 1 ? "several segments were merged" : "merged segments were merged");
                }
            }
        }
    }

    /** Moves a shard to a new epoch of the same session. */
    private static void reopen(LogWorld world, int shard) {
        Shard open = world.shard(shard);
        List<Boolean> done = new ArrayList<>();
        open.loop().execute(() -> {
            var unused = open.release().whenComplete((released, thrown) -> done.add(thrown == null));
        });
        world.simulation.runUntil(() -> !done.isEmpty(), LogWorld.PATIENCE_MS);
        assertEquals(List.of(true), done);
        world.simulation.runFor(1);
        var opening =
                world.live().log.open(open.id(), world.nextEpoch(), world.live().loopOf(shard));
        world.simulation.runUntil(opening::isDone, LogWorld.PATIENCE_MS);
        world.live().shards.put(shard, opening.join());
        for (PartitionModel model : world.models.values()) {
            if (world.shardOf(model.id) == shard) {
                assertEquals(0, model.inFlight);
                model.afterRestart();
            }
        }
    }

    /** Ends the faults, waits until late requests have come, and looks at everything. */
    private static void settle(LogWorld world) {
        world.store.heal();
        world.simulation.runFor(130_000);
        restart(world, false);
        world.models.values().forEach(PartitionModel::readAll);
        world.models.values().forEach(PartitionModel::check);
        world.simulation.runFor(3 * 60_000);
        checkObjects(world);
        world.models.values().forEach(PartitionModel::readAll);
        restart(world, false);
        world.models.values().forEach(PartitionModel::readAll);
        assertEquals(List.of(), world.damages);
    }

    private static void checkObjects(LogWorld world) {
        NavigableMap<ObjectKey, byte[]> objects = world.store.snapshot();
        Map<Integer, Manifest> current = new TreeMap<>();
        for (var entry : objects.entrySet()) {
            if (entry.getKey().value().contains("/manifest/")) {
                Manifest manifest = ManifestCodec.decode(entry.getKey(), ByteBuffer.wrap(entry.getValue()));
                current.put(manifest.shard(), manifest);
            }
        }
        assertEquals(world.shardCount, current.size());
        if (!objects.keySet().containsAll(world.segmentsSeen)) {
            world.reached.add("a segment was deleted");
        }
        if (objects.keySet().stream()
                .noneMatch(key -> key.equals(JournalPath.ofSession(1, 0).file(0)))) {
            world.reached.add("a journal file was deleted");
        }
        checkJournals(world, objects, current.values());
        for (Manifest manifest : current.values()) {
            manifest.segments().forEach(segment -> assertTrue(objects.containsKey(segment.key()), segment::toString));
            manifest.snapshot().ifPresent(key -> assertTrue(objects.containsKey(key), key::toString));
        }
        for (Manifest manifest : current.values()) {
            for (SegmentEntry segment : manifest.segments()) {
                segment.parts()
                        .forEach(part -> assertTrue(
                                world.models.containsKey(part.partitionId()),
                                () -> "deleted, and still there: " + part));
            }
        }
        for (ObjectKey key : objects.keySet()) {
            List<String> parts = List.of(key.value().split("/", -1));
            if (parts.get(0).equals("shard") && !parts.get(2).equals("manifest")) {
                Manifest manifest = current.get(Integer.parseInt(parts.get(1)));
                assertTrue(manifest != null && manifest.names(key), () -> "nobody names " + key);
            }
        }
    }

    /** Of a session that has ended nothing is left but a tombstone in each lane. */
    private static void checkJournals(
            LogWorld world, NavigableMap<ObjectKey, byte[]> objects, Collection<Manifest> current) {
        Map<String, Integer> files = new TreeMap<>();
        for (ObjectKey key : objects.keySet()) {
            String lane = key.value().substring(0, key.value().lastIndexOf('/'));
            long session = key.value().startsWith("journal/") ? Long.parseLong(lane.substring(8, 28)) : -1;
            boolean named = current.stream()
                    .flatMap(manifest -> manifest.ranges().stream())
                    .anyMatch(range -> range.session() == session);
            if (session >= 0 && session < world.live().log.session() && !named) {
                files.merge(lane, 1, Integer::sum);
            }
        }
        files.forEach((lane, count) -> assertEquals(
                1,
                count,
                () -> "files left in " + lane + ": "
                        + objects.entrySet().stream()
                                .filter(one -> one.getKey().value().startsWith(lane + "/"))
                                .map(one -> one.getKey().name() + " of " + one.getValue().length + " bytes, kind "
                                        + (one.getValue().length > 3 ? one.getValue()[3] : -1))
                                .toList()));
    }
}
