package io.forebay.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.partition.PartitionMemoryCodec;
import io.forebay.log.shard.Shard;
import io.forebay.store.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** A flush up to a file moves what lies before that file and nothing else, and a later owner finds the same as if there had been none. */
class PartialFlushTest {

    private static final long PARTITION = 4;

    private final LogWorld world = new LogWorld(7, LogWorld.configThatFlushes(1 << 30));
    private final PartitionModel model = world.model(PARTITION);

    @Test
    void movesOnlyWhatLiesBeforeTheCut() {
        world.start();
        fillFiles(3);
        int unflushed = shard().unflushedFrames();

        flushBefore(2);

        Manifest manifest = shard().manifest();
        assertThat(own(manifest).from()).isEqualTo(new JournalPosition(2, 0));
        PartitionMemory memory = memory(manifest);
        assertThat(memory.getNextOffset()).isEqualTo(model.ackedTo);
        assertThat(memory.getInJournal()).isPositive();
        SegmentPart part = manifest.segments().get(0).parts().get(0);
        assertThat(part.firstOffset()).isZero();
        assertThat(part.nextOffset()).isEqualTo(model.ackedTo - memory.getInJournal());
        assertThat(shard().unflushedFrames()).isBetween(1, unflushed - 1);
        model.readAll();
    }

    @Test
    void theNextOwnerFindsTheSameFramesAndTheSameMemory() {
        world.start();
        fillFiles(3);
        model.trim(30);
        flushBefore(2);
        fillFiles(1);
        model.trim(50);
        world.simulation.runFor(1_000);

        restart();

        assertThat(model.ackedTo)
                .isEqualTo(model.sent.get(model.sent.size() - 1).nextOffset());
        model.readAll();
        model.findByTime(500_000);
        flush();
        assertThat(memory(shard().manifest()).getInJournal()).isZero();
        assertThat(shard().unflushedFrames()).isZero();
        restart();
        model.readAll();
    }

    @Test
    void framesBehindTheCutOutliveSeveralOwnersAndMoveWithTheNextFlush() {
        world.start();
        fillFiles(3);
        flushBefore(2);
        restart();
        fillFiles(2);
        restart();
        fillFiles(3);

        flushBefore(1);

        Manifest manifest = shard().manifest();
        assertThat(manifest.ranges()).hasSize(1);
        assertThat(memory(manifest).getInJournal()).isPositive();
        model.readAll();
        restart();
        model.readAll();
    }

    @Test
    void aShardWithoutFramesInTheWayNeedsNoSegment() {
        world.start();
        fillFiles(3);
        model.trim(model.ackedTo);
        world.simulation.runFor(1_000);
        int segments = shard().manifest().segments().size();

        flushBefore(3);

        assertThat(own(shard().manifest()).from()).isEqualTo(new JournalPosition(3, 0));
        assertThat(shard().manifest().segments()).hasSize(segments);
        restart();
        assertThat(world.partition(PARTITION).startOffset()).isEqualTo(model.ackedTo);
    }

    @Test
    void framesTrimmedBehindTheCutStayTrimmed() {
        world.start();
        fillFiles(3);
        model.trim(model.ackedTo - 5);
        world.simulation.runFor(1_000);

        flushBefore(1);

        assertThat(shard().manifest().segments()).isEmpty();
        restart();
        assertThat(world.partition(PARTITION).startOffset()).isEqualTo(model.start);
        model.readAll();
    }

    @Test
    void aDeletedPartitionIsForgottenOnceItsLastFrameLiesBeforeTheCut() {
        world.start();
        long other = PARTITION + world.shardCount;
        PartitionModel gone = world.model(other);
        gone.append(10, 1_000);
        fillFiles(1);
        gone.append(10, 1_000);
        world.simulation.runFor(1_000);
        gone.delete();
        fillFiles(2);

        flushBefore(1);
        assertThat(shard().manifest().deletedPartitions()).containsExactly(other);
        restart();
        assertThat(shard().partition(other)).isNull();
        fillFiles(2);

        flushBefore(1);
        assertThat(shard().manifest().deletedPartitions()).isEmpty();
        restart();
        assertThat(shard().partition(other)).isNull();
        model.readAll();
    }

    @Test
    void aShardMovedWithinASessionKeepsWhatLiesBehindItsCut() {
        world.start();
        fillFiles(3);
        flushBefore(1);

        reopen();
        fillFiles(1);
        flushBefore(2);

        assertThat(shard().manifest().ranges()).hasSize(2);
        model.readAll();
        restart();
        model.readAll();
    }

    @Test
    void whatIsUnflushedCountsOnceHoweverOftenAShardIsMoved() {
        world.start();
        fillFiles(1);
        restart();
        fillFiles(1);
        int frames = shard().unflushedFrames();
        long bytes = shard().unflushedBytes();

        reopen();

        assertThat(shard().unflushedFrames()).isEqualTo(frames);
        assertThat(shard().unflushedBytes()).isEqualTo(bytes);
        flushBefore(0);
        assertThat(shard().unflushedFrames()).isBetween(1, frames - 1);
        assertThat(shard().manifest().ranges()).hasSize(2);
        model.readAll();
        restart();
        model.readAll();
    }

    @Test
    void whatTheMemoryKnowsAndNoFrameBringsIsLostAndNothingElse() {
        world.start();
        fillFiles(2);
        ObjectKey last = world.store
                .snapshot()
                .lowerKey(JournalPath.ofSession(world.live().log.session(), 1).file(0));
        flushBefore(1);
        long flushed = model.ackedTo - memory(shard().manifest()).getInJournal();
        PartitionMemory before = PartitionMemoryCodec.encode(
                PARTITION, world.partition(PARTITION).memory());
        world.crash();
        world.remove(last);
        world.start();

        assertThat(PartitionMemoryCodec.encode(
                        PARTITION, world.partition(PARTITION).memory()))
                .isEqualTo(before);
        long next = before.getNextOffset();
        assertThat(world.partition(PARTITION).highWatermark()).isEqualTo(next);
        for (long at = 0; at < flushed; ) {
            at = model.readFrom(at);
        }
        CompletionException lost = assertThrows(CompletionException.class, () -> model.readFrom(next - 1));
        assertThat(lost).hasCauseInstanceOf(CorruptRangeException.class);
        model.append(10, 1_000);
        world.simulation.runFor(1_000);
        assertThat(model.readFrom(next)).isEqualTo(next + 10);
    }

    @Test
    void aJournalOverItsLimitShrinksWhileLargeBatchesStayInIt() {
        LogWorld small = new LogWorld(7, LogWorld.configThatFlushes(1 << 30, 4L << 20));
        small.start();
        PartitionModel large = small.model(PARTITION);
        long session = small.live().log.session();
        for (int i = 0; i < 400; i++) {
            large.append(10, 30_000);
            small.simulation.runFor(100);
        }
        small.simulation.runFor(60_000);

        Shard shard = small.shard(small.shardOf(PARTITION));
        List<ObjectKey> left = small.store.snapshot().keySet().stream()
                .filter(key ->
                        key.value().startsWith(JournalPath.ofSession(session, 0).lanePrefix()))
                .toList();
        assertThat(left).hasSizeLessThan(7);
        assertThat(shard.unflushedBytes()).isBetween(2L << 20, 5L << 20);
        assertThat(shard.manifest().segments()).hasSizeBetween(2, 12);
        long moved = shard.manifest().segments().stream()
                .mapToLong(SegmentEntry::sizeBytes)
                .sum();
        assertThat(moved + shard.unflushedBytes()).isLessThan(400L * 31_000);
        large.readAll();
    }

    /** Appends until the journal has closed so many more files. */
    private void fillFiles(int files) {
        for (int i = 0; i < 70 * files; i++) {
            model.append(10, 16_000);
            world.simulation.runFor(10);
        }
        world.simulation.runFor(1_000);
    }

    private void flushBefore(long file) {
        world.await(PARTITION, () -> shard().flushBefore(file));
    }

    private void flush() {
        world.await(PARTITION, () -> shard().flush());
    }

    private void restart() {
        world.models.values().forEach(PartitionModel::beforeCrash);
        world.crash();
        world.start();
        world.models.values().forEach(PartitionModel::afterRestart);
    }

    private void reopen() {
        Shard before = shard();
        world.await(PARTITION, before::release);
        world.simulation.runFor(1);
        int number = world.shardOf(PARTITION);
        var opening = world.live()
                .log
                .open(before.id(), world.nextEpoch(), world.live().loopOf(number));
        world.simulation.runUntil(opening::isDone, LogWorld.PATIENCE_MS);
        world.live().shards.put(number, opening.join());
        model.afterRestart();
    }

    private Shard shard() {
        return world.shard(world.shardOf(PARTITION));
    }

    private static JournalRange own(Manifest manifest) {
        return manifest.ranges().get(manifest.ranges().size() - 1);
    }

    private static PartitionMemory memory(Manifest manifest) {
        return manifest.memories().stream()
                .filter(one -> one.getPartitionId() == PARTITION)
                .findFirst()
                .orElseThrow();
    }
}
