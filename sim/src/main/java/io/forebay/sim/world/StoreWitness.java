package io.forebay.sim.world;

import io.forebay.log.journal.JournalHeader;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestCodec;
import io.forebay.store.ObjectKey;
import io.forebay.testkit.FaultyStore;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sees every object that comes and goes, and fails the run when what lies in the store contradicts itself: no client may have noticed yet, and with some luck none ever will.
 *
 * <p>Held to be true: manifests of a shard have epochs that never fall with their versions; what is recorded once as the end of a range is its end for ever, whoever says it;
 * journal files go in ascending order, each after all below it that hold anything, and never the highest object of a lane, unless it lies behind a tombstone. Owned by the simulation's thread.
 */
final class StoreWitness implements FaultyStore.Watcher {

    /** A journal file of at most a header: a tombstone, or a file that a late request has made. */
    private static final int EMPTY_FILE_BYTES = 64;

    private final FaultyStore store;
    private final World world;
    /** Epochs by version, of all manifests that ever were, by shard. */
    private final Map<Integer, NavigableMap<Long, Long>> epochs = new HashMap<>();

    private final Map<RangeOf, JournalPosition> recordedEnds = new HashMap<>();
    private final Set<ObjectKey> deleted = new HashSet<>();
    private final Set<ObjectKey> tombstones = new HashSet<>();

    /** One range, whatever of it has moved to segments. */
    private record RangeOf(int shard, long session, int lane, long epoch) {}

    StoreWitness(World world) {
        this.world = world;
        this.store = world.store();
        store.watch(this);
    }

    private void fail(String what) {
        world.simulation().fail(new AssertionError(what));
    }

    @Override
    public void named(ObjectKey key, byte[] content) {
        String name = key.value();
        if (name.startsWith("shard/") && name.contains("/manifest/")) {
            manifest(ManifestCodec.decode(key, ByteBuffer.wrap(content)));
        } else if (name.startsWith("journal/")) {
            JournalPath path = lane(name);
            path.numberOf(key)
                    .ifPresent(number -> JournalHeader.decode(ByteBuffer.wrap(content), path, number)
                            .filter(header -> header.kind() == JournalHeader.Kind.TOMBSTONE)
                            .ifPresent(header -> tombstones.add(key)));
        }
    }

    private void manifest(Manifest made) {
        NavigableMap<Long, Long> known = epochs.computeIfAbsent(made.shard(), shard -> new TreeMap<>());
        Map.Entry<Long, Long> below = known.lowerEntry(made.version());
        Map.Entry<Long, Long> above = known.higherEntry(made.version());
        if ((below != null && below.getValue() > made.epoch()) || (above != null && above.getValue() < made.epoch())) {
            fail("manifest " + made.version() + " of shard " + made.shard() + " is of epoch " + made.epoch()
                    + ", between epochs " + below + " and " + above);
        }
        // A version that was put late, after later ones had been made and its own been deleted, counts for nobody.
        boolean counts = above == null;
        known.put(made.version(), made.epoch());
        for (JournalRange range : counts ? made.ranges() : List.<JournalRange>of()) {
            range.to().ifPresent(end -> recorded(made, range, end));
        }
    }

    private void recorded(Manifest made, JournalRange range, JournalPosition end) {
        RangeOf of = new RangeOf(made.shard(), range.session(), range.lane(), range.epoch());
        JournalPosition before = recordedEnds.putIfAbsent(of, end);
        if (before != null && !before.equals(end)) {
            fail("the end of " + of + " was recorded as " + before + ", and manifest " + made.version() + " says "
                    + end);
        }
    }

    @Override
    public void deletes(ObjectKey key) {
        String name = key.value();
        if (name.startsWith("journal/")) {
            journalFile(lane(name), key);
        }
    }

    private static JournalPath lane(String name) {
        int slash = name.indexOf('/', "journal/".length());
        long session = Long.parseLong(name.substring("journal/".length(), slash));
        return JournalPath.ofSession(session, Integer.parseInt(name.substring(slash + 1, name.lastIndexOf('/'))));
    }

    private void journalFile(JournalPath path, ObjectKey key) {
        boolean highest = true;
        boolean behindTombstone = false;
        Optional<ObjectKey> before = Optional.empty();
        for (Map.Entry<ObjectKey, Long> other : store.sizes(path.lanePrefix()).entrySet()) {
            int order = other.getKey().compareTo(key);
            highest &= order <= 0;
            behindTombstone |= order < 0 && tombstones.contains(other.getKey());
            // One that was deleted before was made again by a late request; nobody needs it.
            if (order < 0 && other.getValue() > EMPTY_FILE_BYTES && !deleted.contains(other.getKey())) {
                before = Optional.of(other.getKey());
            }
        }
        if (before.isPresent() && !behindTombstone) {
            fail(key + " is deleted before " + before.get());
        }
        if (highest && !behindTombstone) {
            fail(key + " is deleted, and a late writer finds nothing that stops it");
        }
        deleted.add(key);
    }
}
