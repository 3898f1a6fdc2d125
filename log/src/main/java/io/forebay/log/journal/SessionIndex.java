package io.forebay.log.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All frames of one fenced session, in memory, by lane, file, shard and partition: the encoded indexes of its files with a directory
 * of shards, so that opening every shard looks at each frame once. Immutable; any thread.
 */
public final class SessionIndex {

    /**
     * One lane.
     *
     * @param end position behind the last frame
     * @param files in order
     */
    record LaneIndex(JournalPosition end, List<JournalIndex> files) {

        LaneIndex {
            files = List.copyOf(files);
        }
    }

    private final String prefix;
    private final long session;
    private final Map<Integer, LaneIndex> lanes;

    SessionIndex(String prefix, long session, Map<Integer, LaneIndex> lanes) {
        this.prefix = prefix;
        this.session = session;
        this.lanes = new TreeMap<>(lanes);
    }

    public String prefix() {
        return prefix;
    }

    public long session() {
        return session;
    }

    /**
     * The position behind the last frame of the lane: nothing that counts lies behind it. In a lane without frames it is the place of
     * its tombstone.
     */
    public JournalPosition end(int lane) {
        return of(lane).end();
    }

    /**
     * The frames of one shard and epoch from {@code from} (inclusive) to {@code to} (exclusive). Order: by file; within a file
     * partition after partition; within a partition by position. Holds the frames from the first file on that was asked for when this
     * was loaded.
     */
    public FrameCursor frames(int lane, int shard, long epoch, JournalPosition from, JournalPosition to) {
        List<JournalIndex.Slice> slices = new ArrayList<>();
        for (JournalIndex file : of(lane).files()) {
            JournalIndex.Slice slice = file.file() < from.file() || file.file() > to.file() ? null : file.slice(shard);
            if (slice != null) {
                slices.add(slice);
            }
        }
        return new IndexFrameCursor(slices, IndexFrameCursor.Range.ofEpoch(epoch, from, to));
    }

    /** The shards that have frames in a file of the lane, ascending; none if the file was not loaded. */
    public List<Integer> shards(int lane, long file) {
        for (JournalIndex index : of(lane).files()) {
            if (index.file() == file) {
                return index.shards();
            }
        }
        return List.of();
    }

    /** Memory held by the encoded indexes, in bytes. */
    public long sizeBytes() {
        return lanes.values().stream()
                .flatMap(lane -> lane.files().stream())
                .mapToLong(JournalIndex::sizeBytes)
                .sum();
    }

    private LaneIndex of(int lane) {
        LaneIndex found = lanes.get(lane);
        if (found == null) {
            throw new IllegalArgumentException(prefix + " session " + session + " has no lane " + lane);
        }
        return found;
    }
}
