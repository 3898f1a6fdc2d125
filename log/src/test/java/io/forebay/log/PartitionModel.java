package io.forebay.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.batch.BatchView;
import io.forebay.log.partition.PartitionLog;
import io.forebay.log.partition.PartitionMemoryCodec;
import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one partition must hold: what was acknowledged, and what may be there besides. Owned by the test's thread. */
final class PartitionModel {

    /** A batch as it must be found; its bytes from the attributes on do not depend on where it lies. */
    record Sent(long baseOffset, int records, ByteBuffer bytes, long timestamp) {
        long nextOffset() {
            return baseOffset + records;
        }
    }

    final LogWorld world;
    final long id;
    final List<Sent> sent = new ArrayList<>();
    long ackedTo;
    long start;
    /** A trim that may or may not be there after a crash. */
    long startAsked;

    int inFlight;
    boolean deleted;
    private int nextSequence;
    /** Grows when the partition changes its owner. */
    private int owner;

    private long highestSeen;
    private long startSeen;
    private @Nullable PartitionMemory memoryBefore;

    PartitionModel(LogWorld world, long id) {
        this.world = world;
        this.id = id;
    }

    void append(int records, int wantedBytes) {
        LogWorld.Life life = world.ownerOf(world.shardOf(id));
        int bytes = Math.min(wantedBytes, world.partition(id).maxBatchBytes());
        long timestamp = world.random.nextInt(1_000_000);
        ByteBuffer batch = LogWorld.batch(world.random, records, bytes, id % 3 == 0 ? -1 : id, nextSequence, timestamp);
        nextSequence += records;
        PartitionModel model = this;
        inFlight++;
        int appendedAs = owner;
        life.loopOf(world.shardOf(id)).execute(() -> {
            if (deleted || appendedAs != owner) {
                return;
            }
            ByteBuffer content = batch.duplicate();
            Sent[] slot = new Sent[1];
            long base = world.partition(id).append(batch, new LogWorld.Told() {
                @Override
                public void durable(long baseOffset) {
                    Sent mine = slot[0];
                    if (appendedAs != owner) {
                        // An owner that was fenced hears late of what its successor must find.
                        assertTrue(model.sent.contains(mine), () -> "acknowledged late, and not there: " + mine);
                        ackedTo = Math.max(ackedTo, mine.nextOffset());
                        return;
                    }
                    inFlight--;
                    if (deleted) {
                        return;
                    }
                    assertEquals(mine.baseOffset(), baseOffset);
                    assertTrue(
                            mine.baseOffset() == model.ackedTo,
                            () -> "acknowledged " + mine.baseOffset() + " after " + model.ackedTo);
                    model.ackedTo = mine.nextOffset();
                }
            });
            if (base >= 0) {
                slot[0] = new Sent(base, records, content, timestamp);
                model.sent.add(slot[0]);
            }
        });
    }

    void trim(long to) {
        LogWorld.Life life = world.ownerOf(world.shardOf(id));
        inFlight++;
        int trimmedAs = owner;
        life.loopOf(world.shardOf(id)).execute(() -> {
            if (deleted || trimmedAs != owner) {
                return;
            }
            PartitionLog log = world.partition(id);
            long target = Math.min(to, log.highWatermark());
            startAsked = Math.max(startAsked, target);
            log.trim(target, new LogWorld.Told() {
                @Override
                public void durable(long newStart) {
                    inFlight -= trimmedAs == owner ? 1 : 0;
                    start = Math.max(start, newStart);
                }
            });
        });
    }

    void delete() {
        deleted = true;
        world.models.remove(id);
        world.deleted.add(id);
        world.on(id, () -> {
            world.shard(world.shardOf(id)).deletePartition(id);
            return true;
        });
    }

    /** Called before a crash: if nothing is in flight, what is remembered must be the same afterwards. */
    void beforeCrash() {
        memoryBefore = inFlight == 0 && world.ownerOf(world.shardOf(id)).shards.containsKey(world.shardOf(id))
                ? PartitionMemoryCodec.encode(id, world.partition(id).memory())
                : null;
        inFlight = 0;
        owner++;
    }

    /** Called when the shard is open again: unknown outcomes are settled now. */
    void afterRestart() {
        PartitionLog log = world.partition(id);
        long end = log.highWatermark();
        assertTrue(end >= ackedTo, () -> "partition " + id + ": acknowledged up to " + ackedTo + ", found " + end);
        assertEquals(end, log.nextOffset());
        sent.removeIf(one -> one.baseOffset() >= end);
        long expected = sent.isEmpty() ? 0 : sent.get(sent.size() - 1).nextOffset();
        assertEquals(expected, end, () -> "partition " + id + ": an end that no batch has");
        ackedTo = end;
        assertTrue(log.startOffset() >= start, () -> "partition " + id + ": start went back");
        assertTrue(log.startOffset() <= startAsked, () -> "partition " + id + ": start that nobody asked for");
        start = log.startOffset();
        nextSequence = (int) end;
        PartitionMemory before = memoryBefore;
        memoryBefore = null;
        if (before != null) {
            assertEquals(before, PartitionMemoryCodec.encode(id, log.memory()), () -> "memory of partition " + id);
        }
    }

    void check() {
        PartitionLog log = world.partition(id);
        assertTrue(log.highWatermark() >= highestSeen, () -> "partition " + id + ": high watermark went back");
        assertTrue(log.startOffset() >= startSeen, () -> "partition " + id + ": start went back");
        highestSeen = log.highWatermark();
        startSeen = log.startOffset();
    }

    /** Reads from an offset on and compares with what was sent. */
    long readFrom(long offset) {
        PartitionLog log = world.partition(id);
        long limit = log.highWatermark();
        if (offset < log.startOffset() || offset >= limit) {
            return limit;
        }
        int maxBytes = 1 + world.random.nextInt(20_000);
        ByteRun run = world.await(id, () -> log.read(offset, limit, maxBytes, true));
        ByteBuffer bytes = run.copy();
        run.release();
        long at = offset;
        if (!bytes.hasRemaining()) {
            // The start may have moved past the offset meanwhile.
            assertTrue(log.startOffset() > offset, () -> "partition " + id + ": nothing at " + offset);
            return log.startOffset();
        }
        boolean first = true;
        while (bytes.hasRemaining()) {
            int size = BatchView.sizeBytes(bytes, bytes.position());
            long base = BatchView.baseOffset(bytes, bytes.position());
            Sent expected = holding(at);
            assertEquals(expected.baseOffset(), base, () -> "partition " + id + " at " + offset);
            ByteBuffer found = bytes.slice(bytes.position(), size);
            assertEquals(
                    expected.bytes().slice(BatchView.CRC_FROM, expected.bytes().capacity() - BatchView.CRC_FROM),
                    found.slice(BatchView.CRC_FROM, size - BatchView.CRC_FROM),
                    () -> "partition " + id + ": other bytes at " + base);
            assertTrue(first || bytes.remaining() <= maxBytes);
            first = false;
            at = expected.nextOffset();
            bytes.position(bytes.position() + size);
        }
        assertTrue(at <= limit);
        return at;
    }

    void readAll() {
        long at = world.partition(id).startOffset();
        while (at < world.partition(id).highWatermark()) {
            long next = readFrom(at);
            long from = at;
            assertTrue(next > from, () -> "no progress at " + from);
            at = next;
        }
    }

    /** Compares a search by time with a search through everything that was sent. */
    void findByTime(long timestamp) {
        PartitionLog log = world.partition(id);
        if (inFlight > 0) {
            return;
        }
        long from = log.startOffset();
        long limit = log.highWatermark();
        var found = world.await(id, () -> log.findByTimestamp(timestamp, from, limit));
        Optional<Sent> expected = sent.stream()
                .filter(one -> one.nextOffset() > from && one.nextOffset() <= limit && one.timestamp() >= timestamp)
                .findFirst();
        assertEquals(expected.map(Sent::baseOffset), found.map(spot -> spot.baseOffset()));
        found.ifPresent(spot -> spot.batch().release());
    }

    Sent holding(long offset) {
        int low = 0;
        int high = sent.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sent.get(middle).nextOffset() > offset) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return sent.get(low);
    }
}
