package io.forebay.conformance.chaos;

import io.forebay.log.journal.JournalHeader;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.LaneEnd;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestCodec;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The objects of a store that nobody needs any more. Needed are: what a shard's newest manifest names; its last eight
 * versions; the files of a journal from the first one on that a manifest needs, since they go in order; the newest file of a
 * journal that is being written, and those below it of which no file says that they were written; tombstones; terms; the two newest metadata snapshots and the terms' journals from the older
 * one on. Blocks on the store.
 */
final class Unnamed {

    private static final int LISTING = 1_000;
    private static final int MANIFESTS_KEPT = 8;
    private static final int SNAPSHOTS_KEPT = 2;
    private static final int NUMBER_DIGITS = 20;

    private final Store store;

    Unnamed(Store store) {
        this.store = store;
    }

    /** Objects of nodes and shards that nobody needs. */
    List<ObjectKey> objects() {
        List<ObjectKey> unnamed = new ArrayList<>();
        List<Manifest> manifests = new ArrayList<>();
        Map<String, List<ObjectStat>> shards = new TreeMap<>();
        for (ObjectStat stat : list("shard/")) {
            shards.computeIfAbsent(stat.key().value().split("/", -1)[1], shard -> new ArrayList<>())
                    .add(stat);
        }
        shards.values().forEach(objects -> ofShard(objects, manifests, unnamed));
        Map<JournalPath, List<ObjectStat>> lanes = lanes("journal");
        lanes.forEach((path, files) -> ofLane(path, files, manifests, unnamed));
        list("probe/").forEach(stat -> unnamed.add(stat.key()));
        return unnamed;
    }

    /** Files of the controller's journals that the older of the kept snapshots contains. */
    List<ObjectKey> oldMetadata() {
        List<ObjectKey> unnamed = new ArrayList<>();
        List<ObjectStat> snapshots = list("root/snapshot/");
        int surplus = Math.max(0, snapshots.size() - SNAPSHOTS_KEPT);
        snapshots.subList(0, surplus).forEach(stat -> unnamed.add(stat.key()));
        if (snapshots.size() >= SNAPSHOTS_KEPT) {
            long term = Long.parseLong(snapshots.get(surplus).key().name().substring(0, NUMBER_DIGITS));
            lanes("root/journal").forEach((path, files) -> {
                if (path.session() < term) {
                    files.stream().filter(file -> !isTombstone(path, file)).forEach(file -> unnamed.add(file.key()));
                }
            });
        }
        return unnamed;
    }

    private void ofShard(List<ObjectStat> objects, List<Manifest> manifests, List<ObjectKey> unnamed) {
        List<ObjectStat> versions = objects.stream()
                .filter(stat -> stat.key().value().contains("/manifest/"))
                .toList();
        if (!versions.isEmpty()) {
            manifests.add(manifest(versions.get(versions.size() - 1)));
        }
        versions.subList(0, Math.max(0, versions.size() - MANIFESTS_KEPT)).forEach(stat -> unnamed.add(stat.key()));
        for (ObjectStat stat : objects) {
            boolean named = versions.contains(stat)
                    || (!versions.isEmpty()
                            && manifests.get(manifests.size() - 1).names(stat.key()));
            if (!named) {
                unnamed.add(stat.key());
            }
        }
    }

    private void ofLane(JournalPath path, List<ObjectStat> files, List<Manifest> manifests, List<ObjectKey> unnamed) {
        LaneEnd end = end(path, files);
        boolean needed = false;
        for (ObjectStat file : files) {
            long number = Long.parseLong(file.key().name());
            boolean below = number < end.place();
            needed |= below
                    && manifests.stream().anyMatch(manifest -> manifest.needs(path.session(), path.lane(), number));
            // The tombstone; or what is being written, and what no file says yet was written.
            boolean stays = end.ended() ? number == end.place() : number > end.written();
            if (!stays && !(below && needed)) {
                unnamed.add(file.key());
            }
        }
    }

    private LaneEnd end(JournalPath path, List<ObjectStat> files) {
        TreeSet<Long> numbers = new TreeSet<>();
        files.forEach(file -> numbers.add(Long.parseLong(file.key().name())));
        LaneEnd end = new LaneEnd(numbers);
        for (List<Long> wanted = end.toRead(); !wanted.isEmpty(); wanted = end.toRead()) {
            wanted.forEach(number -> end.found(number, header(path, number)));
        }
        return end;
    }

    private Map<JournalPath, List<ObjectStat>> lanes(String prefix) {
        Map<String, List<ObjectStat>> byFolder = new TreeMap<>();
        for (ObjectStat stat : list(prefix + "/")) {
            String key = stat.key().value();
            byFolder.computeIfAbsent(key.substring(0, key.lastIndexOf('/')), folder -> new ArrayList<>())
                    .add(stat);
        }
        Map<JournalPath, List<ObjectStat>> lanes = new LinkedHashMap<>();
        byFolder.forEach((folder, files) -> {
            String[] parts = folder.substring(prefix.length() + 1).split("/", -1);
            lanes.put(new JournalPath(prefix, Long.parseLong(parts[0]), Integer.parseInt(parts[1])), files);
        });
        return lanes;
    }

    private boolean isTombstone(JournalPath path, ObjectStat file) {
        return header(path, Long.parseLong(file.key().name()))
                .filter(found -> found.kind() == JournalHeader.Kind.TOMBSTONE)
                .isPresent();
    }

    private Optional<JournalHeader> header(JournalPath path, long number) {
        ByteBuffer header = ByteBuffer.allocate(JournalHeader.BYTES);
        int unused = store.read(path.file(number), 0, header).join();
        return JournalHeader.decode(header.flip(), path, number);
    }

    private Manifest manifest(ObjectStat stat) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(stat.sizeBytes()));
        int unused = store.read(stat.key(), 0, bytes).join();
        return ManifestCodec.decode(stat.key(), bytes.flip());
    }

    private List<ObjectStat> list(String prefix) {
        List<ObjectStat> all = new ArrayList<>();
        String after = "";
        while (true) {
            List<ObjectStat> page = store.list(prefix, after, LISTING).join();
            all.addAll(page);
            if (page.size() < LISTING) {
                return all;
            }
            after = page.get(page.size() - 1).key().value();
        }
    }
}
