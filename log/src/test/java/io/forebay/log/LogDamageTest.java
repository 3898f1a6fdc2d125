package io.forebay.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.log.batch.BatchView;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.partition.PartitionLog;
import io.forebay.model.ByteRun;
import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Damage in the store is named with object, position, partition and offsets, and what lies around it is served. */
class LogDamageTest {

    private static final long PARTITION = 4;

    @Test
    void namesADamagedBlockAndServesTheRest() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(50_000));
        world.start();
        PartitionModel model = world.model(PARTITION);
        for (int i = 0; i < 400; i++) {
            model.append(10, 1_000);
            world.simulation.runFor(10);
        }
        world.simulation.runFor(20_000);
        SegmentEntry segment =
                world.shard(world.shardOf(PARTITION)).manifest().segments().get(0);
        world.crash();
        int position = (int) segment.sizeBytes() / 2;
        world.damage(segment.key(), position);
        world.start();

        CorruptRangeException found = firstDamage(world);

        assertEquals(segment.key().value(), found.object());
        assertEquals(PARTITION, found.partitionId());
        assertTrue(found.position() <= position && position < found.position() + 70_000, found::toString);
        model.readFrom(found.nextOffset());
        long at = world.partition(PARTITION).startOffset();
        while (at < found.firstOffset()) {
            at = model.readFrom(at);
        }
        assertEquals(found.firstOffset(), at);
    }

    @Test
    void carriesADamagedFrameAlongAsAHole() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(1 << 30));
        world.start();
        PartitionModel model = world.model(PARTITION);
        for (int i = 0; i < 100; i++) {
            model.append(10, 1_000);
            world.simulation.runFor(10);
        }
        ObjectKey file = JournalPath.ofSession(world.live().log.session(), 0).file(0);
        world.crash();
        world.damage(file, 5_000);
        world.start();

        CorruptRangeException found = firstDamage(world);
        assertEquals(file.value(), found.object());
        assertEquals(PARTITION, found.partitionId());
        assertEquals(10, found.nextOffset() - found.firstOffset());
        assertTrue(model.readFrom(found.nextOffset()) > found.nextOffset());

        world.await(PARTITION, () -> world.shard(world.shardOf(PARTITION)).flush());

        CorruptRangeException later = firstDamage(world);
        assertEquals(found.firstOffset(), later.firstOffset());
        assertEquals(found.nextOffset(), later.nextOffset());
        assertTrue(later.object().startsWith("shard/"), later::object);
        assertTrue(model.readFrom(found.nextOffset()) > found.nextOffset());
        assertEquals(1, world.damages.size());
        assertEquals(file, world.damages.get(0).key());
    }

    @Test
    void namesWhatATruncatedJournalFileHasLostWhileTheProcessRuns() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(1 << 30));
        world.start();
        PartitionModel model = filledFiles(world);
        ObjectKey file = JournalPath.ofSession(world.live().log.session(), 0).file(0);
        world.truncate(file, 300_100);

        CorruptRangeException found = firstDamage(world);

        assertEquals(file.value(), found.object());
        assertEquals(PARTITION, found.partitionId());
        assertTrue(found.position() <= 300_200 && 300_100 < found.position() + 10_100, found::toString);
        assertTrue(String.valueOf(found.getMessage()).contains("ends at 300100,"), found::toString);
        assertEquals(10, found.nextOffset() - found.firstOffset());
        readAround(world, model, found);
    }

    @Test
    void namesWhatWasInAJournalFileThatIsGoneWhileTheProcessRuns() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(1 << 30));
        world.start();
        PartitionModel model = filledFiles(world);
        ObjectKey file = JournalPath.ofSession(world.live().log.session(), 0).file(0);
        world.remove(file);

        CorruptRangeException found = firstDamage(world);

        assertEquals(file.value(), found.object());
        assertEquals(PARTITION, found.partitionId());
        assertTrue(String.valueOf(found.getMessage()).contains("no object"), found::toString);
        readAround(world, model, found);
    }

    @Test
    void namesWhatATruncatedSegmentHasLostWhileTheProcessRuns() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(50_000));
        world.start();
        PartitionModel model = world.model(PARTITION);
        SegmentEntry segment = firstSegment(world, model);
        appendAndRun(world, model, 200);
        int end = (int) segment.sizeBytes() / 2;
        model.readFrom(0);
        world.truncate(segment.key(), end);

        CorruptRangeException found = firstDamage(world);

        assertEquals(segment.key().value(), found.object());
        assertEquals(PARTITION, found.partitionId());
        readAround(world, model, found);
    }

    @Test
    void aMissingJournalFileOfAnEndedSessionHidesNoOther() {
        LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(1 << 30));
        world.start();
        PartitionModel model = filledFiles(world);
        ObjectKey middle = JournalPath.ofSession(world.live().log.session(), 0).file(1);
        world.crash();
        world.remove(middle);
        world.start();

        CorruptRangeException found = firstDamage(world);

        assertTrue(found.firstOffset() > 100, found::toString);
        readAround(world, model, found);
    }

    /** Three closed journal files, the first of which have left memory. */
    private static PartitionModel filledFiles(LogWorld world) {
        PartitionModel model = world.model(PARTITION);
        ObjectKey fourth = JournalPath.ofSession(world.live().log.session(), 0).file(3);
        while (!world.store.snapshot().containsKey(fourth)) {
            for (int i = 0; i < 20; i++) {
                model.append(10, 10_000);
                world.simulation.runFor(10);
            }
        }
        world.simulation.runFor(1_000);
        return model;
    }

    /** What lies before the damage and behind it, but for other records that are lost as well. */
    private static void readAround(LogWorld world, PartitionModel model, CorruptRangeException damage) {
        long at = world.partition(PARTITION).startOffset();
        while (at < damage.firstOffset()) {
            at = model.readFrom(at);
        }
        assertEquals(damage.firstOffset(), at);
        long lost = 0;
        at = damage.nextOffset();
        while (at < model.ackedTo) {
            try {
                at = model.readFrom(at);
            } catch (CompletionException thrown) {
                CorruptRangeException next = assertInstanceOf(CorruptRangeException.class, thrown.getCause());
                assertEquals(damage.object(), next.object());
                assertEquals(at, next.firstOffset());
                lost += next.nextOffset() - at;
                at = next.nextOffset();
            }
        }
        assertEquals(model.ackedTo, at);
        assertTrue(damage.nextOffset() + lost < model.ackedTo, "nothing was served behind the damage");
    }

    @Test
    void mergesADamagedBlockAsAHoleAndGoesOnMerging() {
        LogWorld world = new LogWorld(7, LogWorld.configThatMerges(50_000, 3));
        world.start();
        PartitionModel model = world.model(PARTITION);
        SegmentEntry segment = firstSegment(world, model);
        world.damage(segment.key(), 200);

        appendAndRun(world, model, 200);

        List<SegmentEntry> segments =
                world.shard(world.shardOf(PARTITION)).manifest().segments();
        assertTrue(segments.stream().noneMatch(one -> one.key().equals(segment.key())), segments::toString);
        assertTrue(segments.stream().anyMatch(one -> one.level() > 1), segments::toString);
        assertEquals(1, world.damages.size());
        assertEquals(segment.key(), world.damages.get(0).key());
        world.crash();
        world.start();
        CorruptRangeException found = firstDamage(world);
        assertEquals(0, found.firstOffset());
        long at = found.nextOffset();
        while (at < model.ackedTo) {
            at = model.readFrom(at);
        }
    }

    @Test
    void leavesASegmentWithADamagedIndexAloneAndMergesOthers() {
        LogWorld world = new LogWorld(7, LogWorld.configThatMerges(50_000, 3));
        world.start();
        PartitionModel model = world.model(PARTITION);
        SegmentEntry segment = firstSegment(world, model);
        world.damage(segment.key(), (int) segment.sizeBytes() - 40);

        appendAndRun(world, model, 200);

        List<SegmentEntry> segments =
                world.shard(world.shardOf(PARTITION)).manifest().segments();
        assertTrue(segments.stream().anyMatch(one -> one.key().equals(segment.key())), segments::toString);
        assertTrue(segments.stream().anyMatch(one -> one.level() > 0), segments::toString);
        assertEquals(1, world.damages.size());
        assertEquals(segment.key(), world.damages.get(0).key());
    }

    private static SegmentEntry firstSegment(LogWorld world, PartitionModel model) {
        while (world.shard(world.shardOf(PARTITION)).manifest().segments().isEmpty()) {
            appendAndRun(world, model, 1);
        }
        return world.shard(world.shardOf(PARTITION)).manifest().segments().get(0);
    }

    private static void appendAndRun(LogWorld world, PartitionModel model, int batches) {
        for (int i = 0; i < batches; i++) {
            model.append(10, 5_000);
            world.simulation.runFor(100);
        }
        world.simulation.runFor(10_000);
    }

    /** Reads from the start until something is damaged. */
    private static CorruptRangeException firstDamage(LogWorld world) {
        PartitionLog log = world.partition(PARTITION);
        CompletionException thrown = assertThrows(CompletionException.class, () -> {
            long at = log.startOffset();
            while (at < log.highWatermark()) {
                long from = at;
                ByteRun run = world.await(PARTITION, () -> log.read(from, log.highWatermark(), 100_000, true));
                ByteBuffer bytes = run.copy();
                run.release();
                while (bytes.hasRemaining()) {
                    at = BatchView.lastOffset(bytes, bytes.position()) + 1;
                    bytes.position(bytes.position() + BatchView.sizeBytes(bytes, bytes.position()));
                }
            }
        });
        return assertInstanceOf(CorruptRangeException.class, thrown.getCause());
    }
}
