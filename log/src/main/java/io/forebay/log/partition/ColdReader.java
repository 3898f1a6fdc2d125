package io.forebay.log.partition;

import io.forebay.log.cache.PageCache;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.manifest.SegmentPart;
import io.forebay.log.segment.SegmentIndex;
import io.forebay.model.ByteRun;
import io.forebay.model.Retry;
import io.forebay.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Finds records that are not in memory: manifest → footer → block, or a row of the frame index. Decides on the shard loop what to
 * read; what was read is checked where the store completes it; results come back to the loop.
 *
 * <p>A segment or journal file that is gone was replaced meanwhile: the search starts again from the shard's current view. If that names it
 * still, and this session still stands, its records are lost, as those are that lay behind the end of an object that has become shorter: that is
 * damage, and what lies around it is served.
 */
final class ColdReader {

    /** Most bytes of one read; a reader that wants more asks again. */
    private static final int MAX_READ_BYTES = 2 << 20;
    /** Frames of a partition are read together across what others wrote between them, up to this much. */
    private static final int MAX_GAP_BYTES = 64 << 10;
    /** One read takes frames from so much of a journal file: readers of all its partitions then need the same pages at the same time. */
    private static final int MAX_SPAN_BYTES = 8 << 20;

    private static final int MAX_TRIES = 20;
    private static final int MORE_IF_GONE = 2;
    private static final long FIRST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 200;

    private final PartitionState state;
    private final ReadStreams streams = new ReadStreams();

    ColdReader(PartitionState state) {
        this.state = state;
    }

    CompletableFuture<ByteRun> read(long offset, long limitOffset, int maxBytes, boolean minOneBatch) {
        Wanted wanted = new Wanted(offset, limitOffset, Math.min(maxBytes, MAX_READ_BYTES), minOneBatch);
        return retried(() -> readOnce(wanted));
    }

    private CompletableFuture<ByteRun> readOnce(Wanted wanted) {
        if (wanted.offset() >= wanted.limitOffset() || wanted.offset() < state.startOffset) {
            return CompletableFuture.completedFuture(ByteRun.EMPTY);
        }
        if (wanted.offset() >= state.flushedTo) {
            return readFrames(wanted);
        }
        int i = state.parts.firstBeyond(wanted.offset());
        if (i == state.parts.size() || state.parts.part(i).firstOffset() > wanted.offset()) {
            return CompletableFuture.failedFuture(lost(wanted.offset(), i));
        }
        SegmentEntry segment = state.parts.segment(i);
        SegmentPart part = state.parts.part(i);
        return index(segment, part).thenCompose(index -> {
            int p = partitionIn(index, segment, part);
            BlockRange range = blocks(index, p, wanted);
            if (index.blockLength(range.first()) == 0) {
                throw new BlockCheck(segment.key(), state.partitionId, index, p).lost(range.first());
            }
            return readBlocks(segment, index, p, range, wanted);
        });
    }

    /** Consecutive blocks of a partition. */
    private record BlockRange(int first, int end, int bytes) {}

    private static BlockRange blocks(SegmentIndex index, int p, Wanted wanted) {
        int first = index.blockAt(p, wanted.offset());
        int bytes = index.blockLength(first);
        int end = first + 1;
        while (end < index.endBlock(p)
                && bytes < wanted.maxBytes()
                && index.blockOffset(end) < wanted.limitOffset()
                && index.blockLength(end) > 0) {
            bytes += index.blockLength(end);
            end++;
        }
        return new BlockRange(first, end, bytes);
    }

    private CompletableFuture<ByteRun> readBlocks(
            SegmentEntry segment, SegmentIndex index, int p, BlockRange range, Wanted wanted) {
        ReadStreams.Reader reader = streams.take(wanted.offset());
        BlockCheck check = new BlockCheck(segment.key(), state.partitionId, index, p);
        int first = range.first();
        BlockRange alone = new BlockRange(first, first + 1, index.blockLength(first));
        return readBlocks(segment, index, check, range, wanted, reader)
                .exceptionallyComposeAsync(
                        thrown -> LostBytes.endsEarly(thrown)
                                ? readBlocks(segment, index, check, alone, wanted, reader)
                                : CompletableFuture.failedFuture(thrown),
                        state.host.loop())
                .exceptionally(thrown -> {
                    throw LostBytes.named(thrown, reason -> check.corrupt(first, reason));
                })
                .whenCompleteAsync(
                        (cut, thrown) -> reader.done(thrown == null ? cut.nextOffset() : -1), state.host.loop())
                .thenApply(CutRun::run);
    }

    private CompletableFuture<CutRun> readBlocks(
            SegmentEntry segment,
            SegmentIndex index,
            BlockCheck check,
            BlockRange range,
            Wanted wanted,
            ReadStreams.Reader reader) {
        long position = index.blockPosition(range.first());
        return state.host
                .cache()
                .read(segment.key(), position, range.bytes(), reader.stream, segment.sizeBytes())
                .thenApply(run -> check.cut(run, range.first(), range.end(), wanted));
    }

    private CompletableFuture<ByteRun> readFrames(Wanted wanted) {
        FrameIndex frames = state.frames;
        int first = frames.rowAt(wanted.offset());
        if (first == frames.end()) {
            return CompletableFuture.completedFuture(ByteRun.EMPTY);
        }
        int end = endRow(first, wanted);
        if (end == first) {
            return CompletableFuture.completedFuture(ByteRun.EMPTY);
        }
        FrameRows rows = new FrameRows(state.partitionId, frames, first, end);
        if (rows.lost(0)) {
            return CompletableFuture.failedFuture(FrameCheck.lost(rows, 0));
        }
        ReadStreams.Reader reader = streams.take(wanted.offset());
        CompletableFuture<CutRun> read =
                apart(rows) ? readApart(rows).thenApply(cut -> passedOn(cut, rows)) : readRows(rows, reader);
        return read.exceptionallyComposeAsync(
                        thrown -> LostBytes.endsEarly(thrown)
                                ? readGroup(rows, 0, 1, reader)
                                : CompletableFuture.failedFuture(thrown),
                        state.host.loop())
                .exceptionally(thrown -> {
                    throw LostBytes.named(thrown, reason -> FrameCheck.corrupt(rows, 0, reason));
                })
                .whenCompleteAsync(
                        (cut, thrown) -> reader.done(thrown == null ? cut.nextOffset() : -1), state.host.loop())
                .thenApply(CutRun::run);
    }

    /** Reads what lies close together at once, and such groups beside each other. */
    private CompletableFuture<CutRun> readRows(FrameRows rows, ReadStreams.Reader reader) {
        List<CompletableFuture<CutRun>> groups = new ArrayList<>();
        int from = 0;
        while (from < rows.frames()) {
            int to = groupEnd(rows, from);
            groups.add(readGroup(rows, from, to, reader));
            from = to;
        }
        return groups.size() == 1 ? groups.get(0) : CutRun.join(groups);
    }

    /**
     * Whether to read past the cache: large batches among those of others, no block of which is worth keeping for the next reader, and any large
     * batches that the system keeps in memory for us.
     */
    private boolean apart(FrameRows rows) {
        PageCache cache = state.host.cache();
        int frames = rows.frames();
        if (rows.bytes() / frames < PartitionLog.LARGE_BATCH_BYTES) {
            return false;
        }
        for (int i = 0; i < frames; i++) {
            if (rows.length(i) > cache.config().pageBytes()) {
                return false;
            }
        }
        return groupEnd(rows, 0) < frames || cache.isOpenFile(rows.key(0));
    }

    /** What was just checked as the ranges of the file it lies in, if it lies in one: nobody has to keep it in memory until it is sent. */
    private CutRun passedOn(CutRun cut, FrameRows rows) {
        int count = 0;
        while (count < rows.frames() && rows.nextOffset(count) <= cut.nextOffset()) {
            count++;
        }
        int frames = count;
        return state.host
                .cache()
                .openFile(rows.key(0))
                .map(file -> {
                    cut.run().release();
                    ByteRun run = ByteRun.ofFile(file, rows.positions(frames), rows.lengths(frames));
                    return new CutRun(run, cut.nextOffset(), cut.whole());
                })
                .orElse(cut);
    }

    private CompletableFuture<CutRun> readApart(FrameRows rows) {
        return state.host
                .cache()
                .readApart(rows.key(0), rows.positions(rows.frames()), rows.lengths(rows.frames()))
                .thenApply(run -> FrameCheck.cutPacked(run, rows));
    }

    private static int groupEnd(FrameRows rows, int from) {
        int to = from + 1;
        while (to < rows.frames()
                && rows.position(to) - behind(rows, to - 1) <= MAX_GAP_BYTES
                && behind(rows, to) - rows.position(from) <= MAX_READ_BYTES) {
            to++;
        }
        return to;
    }

    private CompletableFuture<CutRun> readGroup(FrameRows rows, int from, int to, ReadStreams.Reader reader) {
        PageCache cache = state.host.cache();
        int position = rows.position(from);
        return cache.read(rows.key(from), position, behind(rows, to - 1) - position, reader.stream, rows.fileEnd(from))
                .thenApply(run -> FrameCheck.cut(run, rows, from, to));
    }

    private static int behind(FrameRows rows, int i) {
        return rows.position(i) + rows.length(i);
    }

    /** One more than the last row that is read together with the first. */
    private int endRow(int first, Wanted wanted) {
        FrameIndex frames = state.frames;
        long bytes = 0;
        int row = first;
        while (row < frames.end() && frames.nextOffset(row) <= wanted.limitOffset()) {
            boolean lost = frames.length(row) == FrameIndex.LOST;
            if (row > first && (lost || frames.file(row) != frames.file(first))) {
                return row;
            }
            boolean fits = bytes + frames.length(row) <= wanted.maxBytes()
                    && (row == first || frames.position(row) - frames.position(first) <= MAX_SPAN_BYTES);
            if (!fits && !(row == first && wanted.minOneBatch())) {
                return row;
            }
            bytes += frames.length(row);
            row++;
            if (lost) {
                return row;
            }
        }
        return row;
    }

    CompletableFuture<Optional<BatchSpot>> findByTimestamp(long timestampMs, long fromOffset, long limitOffset) {
        return retried(() -> findOnce(timestampMs, fromOffset, limitOffset));
    }

    private CompletableFuture<Optional<BatchSpot>> findOnce(long timestampMs, long from, long limit) {
        if (from >= limit) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        int i = state.parts.firstAsLate(timestampMs, state.parts.firstBeyond(from));
        if (i == state.parts.size() || state.parts.part(i).firstOffset() >= limit) {
            return findInFrames(timestampMs, Math.max(from, state.flushedTo), limit);
        }
        SegmentEntry segment = state.parts.segment(i);
        SegmentPart part = state.parts.part(i);
        return index(segment, part).thenCompose(index -> {
            int p = partitionIn(index, segment, part);
            int block = index.blockAt(p, Math.max(from, part.firstOffset()));
            while (block < index.endBlock(p)
                    && (index.blockMaxTimestampMs(block) < timestampMs || index.blockLength(block) == 0)) {
                block++;
            }
            if (block == index.endBlock(p)) {
                return findOnce(timestampMs, part.nextOffset(), limit);
            }
            return findInBlock(segment, index, p, block, timestampMs, from, limit);
        });
    }

    private CompletableFuture<Optional<BatchSpot>> findInBlock(
            SegmentEntry segment, SegmentIndex index, int p, int block, long timestampMs, long from, long limit) {
        ReadStreams.Reader reader = streams.take(-1);
        BlockCheck check = new BlockCheck(segment.key(), state.partitionId, index, p);
        return state.host
                .cache()
                .read(
                        segment.key(),
                        index.blockPosition(block),
                        index.blockLength(block),
                        reader.stream,
                        segment.sizeBytes())
                .thenApply(run -> check.find(run, block, timestampMs, from, limit))
                .exceptionally(thrown -> {
                    throw LostBytes.named(thrown, reason -> check.corrupt(block, reason));
                })
                .whenCompleteAsync((found, thrown) -> reader.done(-1), state.host.loop())
                .thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(found)
                        : findOnce(timestampMs, index.blockNextOffset(p, block), limit));
    }

    private CompletableFuture<Optional<BatchSpot>> findInFrames(long timestampMs, long from, long limit) {
        FrameIndex frames = state.frames;
        int row = frames.rowAt(from);
        while (row < frames.end() && frames.maxTimestampMs(row) < timestampMs) {
            row++;
        }
        if (row == frames.end() || frames.nextOffset(row) > limit) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        FrameRows rows = new FrameRows(state.partitionId, frames, row, row + 1);
        ReadStreams.Reader reader = streams.take(-1);
        return readRows(rows, reader)
                .exceptionally(thrown -> {
                    throw LostBytes.named(thrown, reason -> FrameCheck.corrupt(rows, 0, reason));
                })
                .whenCompleteAsync((cut, thrown) -> reader.done(-1), state.host.loop())
                .thenApply(cut -> Optional.of(new BatchSpot(rows.baseOffset(0), rows.nextOffset(0), cut.run())));
    }

    private CompletableFuture<SegmentIndex> index(SegmentEntry segment, SegmentPart part) {
        return state.host.segmentIndexes().index(segment).exceptionally(thrown -> {
            throw LostBytes.named(thrown, reason -> unreadable(segment, part, reason));
        });
    }

    private int partitionIn(SegmentIndex index, SegmentEntry segment, SegmentPart part) {
        int p = index.find(state.partitionId);
        if (p < 0 || index.firstBlock(p) == index.endBlock(p)) {
            throw unreadable(segment, part, "it holds nothing of the partition, its manifest says otherwise");
        }
        return p;
    }

    private CorruptRangeException unreadable(SegmentEntry segment, SegmentPart part, String reason) {
        return new CorruptRangeException(
                segment.key().value(), -1, state.partitionId, part.firstOffset(), part.nextOffset(), reason);
    }

    private CorruptRangeException lost(long offset, int part) {
        long next = part < state.parts.size() ? state.parts.part(part).firstOffset() : state.flushedTo;
        return new CorruptRangeException(
                "shard " + state.host.shard(), -1, state.partitionId, offset, next, "no segment holds them");
    }

    /** Repeats what failed because an object was replaced, from the shard's view of now, or because memory was short. */
    private <T> CompletableFuture<T> retried(Supplier<CompletableFuture<T>> attempt) {
        return Retry.on(state.host.loop(), attempt, this::pauseMs)
                .exceptionallyCompose(thrown -> Retry.unwrap(thrown) instanceof GoneObjectException gone
                        ? notReplaced(gone)
                        : CompletableFuture.failedFuture(thrown));
    }

    /** Whoever has taken this shard over may have deleted what is named here: only as long as the session stands it is damage. */
    private <T> CompletableFuture<T> notReplaced(GoneObjectException gone) {
        return state.host
                .prove()
                .handleAsync(
                        (standing, failure) -> {
                            boolean ours = failure == null && standing && state.host.ended() == null;
                            throw ours ? gone.lost() : gone.notFound();
                        },
                        state.host.loop());
    }

    private long pauseMs(Throwable cause, int failures) {
        if (cause instanceof GoneObjectException && !state.host.decidesWhatIsNamed()) {
            return Retry.GIVE_UP;
        }
        if (cause instanceof GoneObjectException) {
            // After all other tries as well, so that it was gone from several views in a row.
            return failures >= MAX_TRIES + MORE_IF_GONE ? Retry.GIVE_UP : 0;
        }
        return failures < MAX_TRIES
                        && cause instanceof StoreException store
                        && (store.kind() == StoreException.Kind.UNAVAILABLE || store.kind() == StoreException.Kind.FULL)
                ? Retry.doubling(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
                : Retry.GIVE_UP;
    }
}
