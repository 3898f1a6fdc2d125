package io.forebay.sim.workload;

import io.forebay.broker.fetch.Fetch;
import io.forebay.broker.fetch.FetchLimits;
import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.broker.partition.Partition;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;

/** Reads a partition as a consumer does: fetches that wait. */
final class PartitionReader {

    private static final int FETCH_BYTES = 20_000;
    private static final int WAIT_MS = 200;
    private static final int RETRY_MS = 50;

    private final World world;
    private final UUID topicId;
    private final int partition;

    PartitionReader(World world, UUID topicId, int partition) {
        this.world = world;
        this.topicId = topicId;
        this.partition = partition;
    }

    /** One fetch from a node; the answer comes on the node's loop, empty if the partition isn't served there. */
    void fetch(SimulatedNode node, long offset, Consumer<Optional<FetchedPartition>> answer) {
        Partition source = node.partition(topicId, partition);
        if (source == null) {
            answer.accept(Optional.empty());
            return;
        }
        PartitionFetch want =
                new PartitionFetch(topicId, partition, offset, FETCH_BYTES, -1, -1, PartitionFetch.NO_READER);
        var unused = new Fetch(
                        List.of(new Fetch.Target(want, source, Errors.NONE)),
                        new FetchLimits(1, FETCH_BYTES, FETCH_BYTES, WAIT_MS, false),
                        source.loop(),
                        results -> answer.accept(Optional.of(results.get(0))))
                .start();
    }

    /** Who serves it; shards may still move when nothing fails any more. */
    private SimulatedNode leader() {
        world.await(() -> served().isPresent(), "a leader of partition " + partition);
        return served().orElseThrow();
    }

    private Optional<SimulatedNode> served() {
        return world.leader(topicId, partition).filter(node -> node.partition(topicId, partition) != null);
    }

    /** Everything there is, from the leader, while nothing fails. Offsets must be dense. */
    List<Batches.Read> readAll() {
        List<Batches.Read> all = new ArrayList<>();
        long next = 0;
        while (true) {
            SimulatedNode node = leader();
            AtomicReference<Optional<FetchedPartition>> got = new AtomicReference<>(Optional.empty());
            AtomicBoolean answered = new AtomicBoolean();
            long from = next;
            node.process()
                    .loop("socket")
                    .execute(() -> fetch(node, from, result -> {
                        got.set(result);
                        answered.set(true);
                    }));
            world.await(answered::get, "a read of partition " + partition);
            Optional<FetchedPartition> answer = Objects.requireNonNull(got.get());
            if (answer.isEmpty() || answer.get().error() == Errors.NOT_LEADER_OR_FOLLOWER) {
                world.simulation().runFor(RETRY_MS);
                continue;
            }
            FetchedPartition fetched = answer.get();
            if (fetched.error() != Errors.NONE) {
                throw new AssertionError("a read at " + from + " failed: " + fetched.error());
            }
            for (Batches.Read read : Batches.read(fetched.records(), from)) {
                if (read.offset() != next) {
                    throw new AssertionError("offset " + next + " of partition " + partition + " is missing");
                }
                all.add(read);
                next++;
            }
            fetched.records().release();
            if (next >= fetched.highWatermark()) {
                return all;
            }
        }
    }
}
