package io.forebay.server.cli.store;

import io.forebay.log.journal.JournalHeader;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.LaneEnd;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestCodec;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads what a store says about itself. Waits for the store; not to be called on a loop. */
final class StoreReading {

    private static final int LISTING = 1_000;

    private final Store store;

    StoreReading(Store store) {
        this.store = store;
    }

    /** Number and bytes of some objects. */
    record Sum(int objects, long bytes) {
        static Sum of(List<ObjectStat> stats) {
            return new Sum(
                    stats.size(),
                    stats.stream().mapToLong(ObjectStat::sizeBytes).sum());
        }
    }

    /**
     * One lane of one journal.
     *
     * @param session whose journal it is; a term in the controller's
     * @param ended whether nothing can be written into it any more
     */
    record Lane(String journal, long session, int lane, Sum files, long firstFile, long lastFile, boolean ended) {
        String state() {
            return ended ? "ended" : "open or not fenced yet";
        }
    }

    /** Those sessions of nodes of whose journals every lane has ended. */
    static Set<Long> endedSessions(List<Lane> journals) {
        Set<Long> ended = new TreeSet<>();
        journals.forEach(lane -> ended.add(lane.session()));
        journals.stream().filter(lane -> !lane.ended()).forEach(lane -> ended.remove(lane.session()));
        return ended;
    }

    /**
     * One shard and its current manifest.
     *
     * @param manifest empty if it cannot be read
     * @param problem why, empty if it can
     */
    record ShardReading(int shard, Optional<Manifest> manifest, Sum segments, String problem) {}

    List<ObjectStat> list(String prefix) {
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

    /** All lanes below a prefix whose keys are {@code prefix/<session>/<lane>/<number>}. */
    List<Lane> lanes(String prefix) {
        Map<String, List<ObjectStat>> byLane = new TreeMap<>();
        for (ObjectStat stat : list(prefix + "/")) {
            String key = stat.key().value();
            byLane.computeIfAbsent(key.substring(0, key.lastIndexOf('/')), k -> new ArrayList<>())
                    .add(stat);
        }
        List<Lane> lanes = new ArrayList<>();
        byLane.forEach((lane, files) -> {
            String[] parts = lane.substring(prefix.length() + 1).split("/", -1);
            JournalPath path = new JournalPath(prefix, Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
            LaneEnd end = end(path, files);
            List<ObjectStat> data = end.ended()
                    ? files.stream().filter(file -> number(file) < end.place()).toList()
                    : files;
            lanes.add(new Lane(
                    prefix + "/" + path.session(),
                    path.session(),
                    path.lane(),
                    Sum.of(data),
                    data.isEmpty() ? -1 : number(data.get(0)),
                    data.isEmpty() ? -1 : number(data.get(data.size() - 1)),
                    end.ended()));
        });
        return lanes;
    }

    private LaneEnd end(JournalPath path, List<ObjectStat> files) {
        TreeSet<Long> numbers = new TreeSet<>();
        files.forEach(file -> numbers.add(number(file)));
        LaneEnd end = new LaneEnd(numbers);
        for (List<Long> wanted = end.toRead(); !wanted.isEmpty(); wanted = end.toRead()) {
            wanted.forEach(number -> end.found(number, header(path, number)));
        }
        return end;
    }

    private Optional<JournalHeader> header(JournalPath path, long number) {
        try {
            ByteBuffer header = ByteBuffer.allocate(JournalHeader.BYTES);
            var unused = store.read(path.file(number), 0, header).join();
            return JournalHeader.decode(header.flip(), path, number);
        } catch (RuntimeException unreadable) {
            return Optional.empty();
        }
    }

    private static long number(ObjectStat file) {
        return Long.parseLong(file.key().name());
    }

    /** All shards that have a manifest, each with its newest. */
    List<ShardReading> shards() {
        Map<Integer, ObjectStat> newest = new TreeMap<>();
        Map<Integer, List<ObjectStat>> segments = new TreeMap<>();
        TreeSet<Integer> numbers = new TreeSet<>();
        for (ObjectStat stat : list("shard/")) {
            String[] parts = stat.key().value().split("/", -1);
            int shard = Integer.parseInt(parts[1]);
            numbers.add(shard);
            if (parts[2].equals("manifest")) {
                newest.put(shard, stat);
            } else {
                segments.computeIfAbsent(shard, s -> new ArrayList<>()).add(stat);
            }
        }
        List<ShardReading> shards = new ArrayList<>();
        for (int shard : numbers) {
            ObjectStat stat = newest.get(shard);
            Sum sum = Sum.of(segments.getOrDefault(shard, List.of()));
            if (stat == null) {
                shards.add(new ShardReading(shard, Optional.empty(), sum, "it has objects but no manifest"));
                continue;
            }
            try {
                shards.add(new ShardReading(shard, Optional.of(manifest(stat)), sum, ""));
            } catch (RuntimeException damaged) {
                shards.add(new ShardReading(shard, Optional.empty(), sum, String.valueOf(damaged.getMessage())));
            }
        }
        return shards;
    }

    private Manifest manifest(ObjectStat stat) {
        ObjectKey key = stat.key();
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(stat.sizeBytes()));
        int read = store.read(key, 0, bytes).join();
        if (read < stat.sizeBytes()) {
            throw new StoreException(StoreException.Kind.CORRUPT, key + " is shorter than its listing says");
        }
        return ManifestCodec.decode(key, bytes.flip());
    }
}
