package io.forebay.log.shard;

import io.forebay.log.batch.RunView;
import io.forebay.log.journal.DamageListener;
import io.forebay.log.journal.JournalDamage;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.partition.FrameRows;
import io.forebay.log.segment.SegmentWriter;
import io.forebay.model.ByteRun;
import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Copies frames of a shard from journal pages, or from journal files where the pages have left memory, into one segment. Runs
 * on the merge executor and the store's threads; used once.
 *
 * <p>Every batch is checked before it is copied. One that is damaged in the store becomes a hole whose offsets stay known.
 */
final class FlushJob {

    /** Frames are read together across what others wrote between them, up to this much. */
    private static final int MAX_GAP_BYTES = 64 << 10;

    private static final int WINDOW_BYTES = 1 << 20;

    private final ShardPorts ports;
    private final int shard;
    private final long epoch;
    private final List<FrameRows> parts;
    private final SegmentWriter writer;
    private final DamageListener damage;

    /** @param parts ascending by partition id; those without frames are left out of the segment */
    FlushJob(ShardPorts ports, int shard, long epoch, List<FrameRows> parts, SegmentWriter writer) {
        this.ports = ports;
        this.shard = shard;
        this.epoch = epoch;
        this.parts = List.copyOf(parts);
        this.writer = writer;
        this.damage = ports.damage();
    }

    CompletableFuture<SegmentEntry> run() {
        return from(0, 0).thenCompose(done -> writer.finish(0));
    }

    /** Copies everything from a row of a part on. Goes on in a loop as long as nothing has to be waited for. */
    private CompletableFuture<Void> from(int firstPart, int firstRow) {
        int part = firstPart;
        int row = firstRow;
        while (part < parts.size()) {
            FrameRows rows = parts.get(part);
            if (row == 0 && rows.frames() > 0) {
                writer.beginPartition(rows.partitionId());
            }
            while (row < rows.frames()) {
                int end = windowEnd(rows, row);
                CompletableFuture<Void> copied = window(rows, row, end);
                row = end;
                if (!copied.isDone() || copied.isCompletedExceptionally()) {
                    int nextPart = row < rows.frames() ? part : part + 1;
                    int nextRow = row < rows.frames() ? row : 0;
                    return copied.thenComposeAsync(done -> from(nextPart, nextRow), ports.merge());
                }
            }
            part++;
            row = 0;
        }
        return CompletableFuture.completedFuture(null);
    }

    /** One more than the last row that is read together with the first. */
    private static int windowEnd(FrameRows rows, int first) {
        int row = first + 1;
        while (row < rows.frames()
                && !rows.lost(first)
                && !rows.lost(row)
                && rows.key(row).equals(rows.key(first))
                && rows.position(row) - behind(rows, row - 1) <= MAX_GAP_BYTES
                && behind(rows, row) - rows.position(first) <= WINDOW_BYTES) {
            row++;
        }
        return row;
    }

    private static int behind(FrameRows rows, int row) {
        return rows.position(row) + rows.length(row);
    }

    private CompletableFuture<Void> window(FrameRows rows, int first, int end) {
        if (rows.lost(first)) {
            writer.addLost(rows.baseOffset(first), rows.nextOffset(first));
            return CompletableFuture.completedFuture(null);
        }
        ObjectKey key = rows.key(first);
        int from = rows.position(first);
        int length = behind(rows, end - 1) - from;
        ByteRun cached = ports.cache().tryRead(key, from, length);
        if (cached != null) {
            return copy(rows, first, end, cached, first).whenComplete((done, thrown) -> cached.release());
        }
        return read(key, from, length)
                .thenCompose(run -> intact(rows, first, end, run)
                        ? CompletableFuture.completedFuture(run)
                        : read(key, from, length))
                .thenComposeAsync(run -> copy(rows, first, end, run, first), ports.merge());
    }

    private static boolean intact(FrameRows rows, int first, int end, ByteRun run) {
        RunView view = new RunView(run);
        for (int row = first; row < end; row++) {
            if (!view.holdsBatch(rows.position(row) - rows.position(first), rows.length(row), rows.baseOffset(row))) {
                return false;
            }
        }
        return true;
    }

    private CompletableFuture<ByteRun> read(ObjectKey key, int from, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return ports.store().read(key, from, bytes).thenApply(read -> {
            if (read < length) {
                // What is missing counts as damaged; the frames before it are good.
                bytes.position(length);
            }
            return ByteRun.ofUnshared(bytes.flip());
        });
    }

    private CompletableFuture<Void> copy(FrameRows rows, int first, int end, ByteRun run, int firstRow) {
        RunView view = new RunView(run);
        for (int row = firstRow; row < end; row++) {
            int at = rows.position(row) - rows.position(first);
            int length = rows.length(row);
            if (!view.holdsBatch(at, length, rows.baseOffset(row))) {
                lose(rows, row);
                continue;
            }
            CompletableFuture<Void> added = writer.addBatch(
                    view, at, length, rows.baseOffset(row), rows.nextOffset(row), rows.maxTimestampMs(row));
            if (!added.isDone() || added.isCompletedExceptionally()) {
                int nextRow = row + 1;
                return added.thenComposeAsync(done -> copy(rows, first, end, run, nextRow), ports.merge());
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private void lose(FrameRows rows, int row) {
        damage.damaged(new JournalDamage(
                rows.key(row),
                rows.position(row),
                rows.length(row),
                Optional.of(new JournalDamage.Frame(shard, epoch, rows.partitionId(), rows.baseOffset(row), (int)
                        (rows.nextOffset(row) - rows.baseOffset(row)))),
                "the checksum of the batch is wrong"));
        writer.addLost(rows.baseOffset(row), rows.nextOffset(row));
    }
}
