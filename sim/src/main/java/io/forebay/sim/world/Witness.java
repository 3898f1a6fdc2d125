package io.forebay.sim.world;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.log.journal.Maker;
import io.forebay.model.ShardId;
import io.forebay.testkit.Simulation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Sees what all nodes hold and answer, which no node can, and fails the run when two of them contradict each other.
 *
 * <p>Held to be true: a term has one leader; a version of the metadata says the same to everybody; an epoch of a shard has one session, and a session number one incarnation, whichever node's image tells; one life acknowledges in one epoch of a
 * partition; and no answer is staler than one session time-out, which is how long a node's proof lasts that its session is not over. Owned by the simulation's thread.
 */
public final class Witness {

    private final Simulation simulation;
    private final long proofNanos;
    private final Map<OwnedEpoch, Long> owners = new HashMap<>();
    private final Map<Long, Maker> incarnations = new HashMap<>();
    private final Map<Long, SimulatedNode> leaders = new HashMap<>();
    private final Map<Long, Metadata> versions = new HashMap<>();
    private final Map<AcknowledgedEpoch, SimulatedNode> acknowledging = new HashMap<>();
    /** What was acknowledged, by partition: the end of all of it, by the time of the acknowledgement. */
    private final Map<PartitionId, NavigableMap<Long, Long>> ends = new HashMap<>();

    /** What a version of the metadata says, as far as nodes act on it. */
    private record Metadata(long term, Map<Long, Maker> sessions, List<ShardImage> shards, Set<String> topics) {

        static Metadata of(MetadataImage image) {
            Map<Long, Maker> sessions = new HashMap<>();
            image.sessions().forEach(session -> sessions.put(session.session(), session.incarnation()));
            Set<String> topics = image.topics().stream()
                    .map(topic -> topic.id() + " with " + topic.partitions().size())
                    .collect(Collectors.toSet());
            return new Metadata(image.term(), sessions, List.copyOf(image.shards()), topics);
        }
    }

    private record OwnedEpoch(ShardId shard, long epoch) {}

    private record PartitionId(UUID topic, int index) {}

    private record AcknowledgedEpoch(PartitionId partition, int epoch) {}

    /** @param proofMs for how long a node may answer without a new proof: the session time-out */
    Witness(Simulation simulation, long proofMs) {
        this.simulation = simulation;
        this.proofNanos = proofMs * 1_000_000;
    }

    private long now() {
        return simulation.clock().nanos();
    }

    private void fail(String what) {
        simulation.fail(new AssertionError(what));
    }

    /** A node says that it leads a term. */
    void leads(SimulatedNode node, long term) {
        SimulatedNode before = leaders.putIfAbsent(term, node);
        if (before != null && before != node) {
            fail("term " + term + " is led by " + before.process() + " and by " + node.process());
        }
    }

    /** A node follows this image. */
    void follows(SimulatedNode node, MetadataImage image) {
        Metadata now = Metadata.of(image);
        Metadata same = versions.putIfAbsent(image.version(), now);
        if (same != null && !same.equals(now)) {
            fail("version " + image.version() + " of the metadata says " + same + ", and to " + node.process() + " "
                    + now);
        }
        for (ShardImage shard : image.shards()) {
            Long before = owners.putIfAbsent(new OwnedEpoch(shard.id(), shard.epoch()), shard.ownerSession());
            if (before != null && before != shard.ownerSession()) {
                fail("shard " + shard.id() + " belongs under epoch " + shard.epoch() + " to session " + before
                        + ", and as " + node.process() + " sees it to session " + shard.ownerSession());
            }
        }
        for (SessionImage session : image.sessions()) {
            Maker before = incarnations.putIfAbsent(session.session(), session.incarnation());
            if (before != null && !before.equals(session.incarnation())) {
                fail("session " + session.session() + " stands for two incarnations, says " + node.process());
            }
        }
    }

    /** Sessions that have owned the shard, by epoch, as far as any node followed an image that says so. */
    public SortedMap<Long, Long> ownersOf(ShardId shard) {
        SortedMap<Long, Long> sessions = new TreeMap<>();
        owners.forEach((owned, session) -> {
            if (owned.shard().equals(shard)) {
                sessions.put(owned.epoch(), session);
            }
        });
        return sessions;
    }

    /** A node acknowledges everything of a partition below {@code end}. */
    public void acknowledges(SimulatedNode node, UUID topic, int index, int epoch, long end) {
        PartitionId partition = new PartitionId(topic, index);
        SimulatedNode before = acknowledging.putIfAbsent(new AcknowledgedEpoch(partition, epoch), node);
        if (before != null && before != node) {
            fail("partition " + index + " is acknowledged under epoch " + epoch + " by " + before.process() + " and by "
                    + node.process());
        }
        NavigableMap<Long, Long> known = ends.computeIfAbsent(partition, p -> new TreeMap<>());
        Map.Entry<Long, Long> last = known.lastEntry();
        if (last == null || end > last.getValue()) {
            known.put(now(), end);
        }
    }

    /** A node shows a high watermark. */
    public void shows(SimulatedNode node, UUID topic, int index, long highWatermark) {
        NavigableMap<Long, Long> known = ends.get(new PartitionId(topic, index));
        Map.Entry<Long, Long> floor = known == null ? null : known.lowerEntry(now() - proofNanos);
        if (floor != null && highWatermark < floor.getValue()) {
            fail(node.process() + " shows " + highWatermark + " as the end of partition " + index + ", but "
                    + floor.getValue() + " was acknowledged " + (now() - floor.getKey()) / 1_000_000 + " ms ago");
        }
    }
}
