package io.forebay.broker.session;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.ReadFailures;
import io.forebay.broker.partition.TopicConfigSource;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.log.NodeLog;
import io.forebay.log.partition.PartitionLog;
import io.forebay.log.shard.Shard;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import io.forebay.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one session serves: follows the image, opens the shards that it was given, and their partitions.
 *
 * <p>Owned by the control loop. A shard is opened when the first partition in it is wanted, or when it keeps files of an ended session; every
 * shard by itself, so that one that fails holds up no other. A failure that may pass is tried again; a shard whose store is damaged stays closed,
 * and clients of its partitions are told KAFKA_STORAGE_ERROR. {@link #end} is final: a new session gets a new object.
 */
final class ServedSession {

    private static final Logger LOG = LoggerFactory.getLogger(ServedSession.class);
    private static final long FIRST_RETRY_MS = 50;
    private static final long LAST_RETRY_MS = 2_000;

    private final String nodeId;
    private final long session;
    private final NodeLog log;
    private final List<Loop> loops;
    private final Loop control;
    private final Clock clock;
    private final ReadFailures readFailures;
    private final TopicConfigSource configs;
    private final ServedPartitions served;
    private final PartitionObserver observer;
    private final Map<ShardId, ShardSlot> shards = new HashMap<>();
    private final Map<UUID, TopicImage> topics = new HashMap<>();
    private volatile ClusterImage image;
    private boolean ended;

    /** A shard that was asked for. */
    private static final class ShardSlot {
        private final CompletableFuture<Shard> opened = new CompletableFuture<>();
        private final Map<Long, TopicImage> wanted = new HashMap<>();
        private final Set<Long> deleted = new HashSet<>();
    }

    /** A partition that an image has and the one before had not. */
    private record Added(TopicImage topic, PartitionImage partition) {}

    ServedSession(
            int nodeId,
            long session,
            NodeLog log,
            List<Loop> loops,
            Loop control,
            Clock clock,
            TopicConfigSource configs,
            ServedPartitions served,
            PartitionObserver observer,
            ClusterImage image) {
        this.nodeId = Integer.toString(nodeId);
        this.session = session;
        this.log = log;
        this.loops = List.copyOf(loops);
        this.control = control;
        this.clock = clock;
        this.readFailures = new ReadFailures(clock);
        this.configs = configs;
        this.served = served;
        this.observer = observer;
        this.image = image;
    }

    /** The loop on which a shard lives. */
    Loop loopOf(ShardId shard) {
        return loops.get(shard.value() % loops.size());
    }

    /**
     * Follows a newer image.
     *
     * @return completes on the control loop when everything that the image adds is served (or cannot be, or this session has ended)
     */
    CompletableFuture<Void> follow(ClusterImage newer) {
        boolean configsChanged = !newer.brokerConfigs("").equals(image.brokerConfigs(""))
                || !newer.brokerConfigs(nodeId).equals(image.brokerConfigs(nodeId));
        image = newer;
        Map<ShardId, List<Added>> added = new HashMap<>();
        for (TopicImage topic : newer.topics()) {
            TopicImage before = topics.put(topic.id(), topic);
            if (topic.equals(before) && !configsChanged) {
                continue;
            }
            if (before == null
                    || before.partitions().size() < topic.partitions().size()) {
                int known = before == null ? 0 : before.partitions().size();
                served.size(topic.id(), topic.partitions().size());
                for (PartitionImage partition :
                        topic.partitions().subList(known, topic.partitions().size())) {
                    added.computeIfAbsent(partition.shard(), shard -> new ArrayList<>())
                            .add(new Added(topic, partition));
                }
            }
            configure(topic);
        }
        CompletableFuture<?>[] opening = added.entrySet().stream()
                .map(shard -> open(shard.getKey(), shard.getValue()))
                .toArray(CompletableFuture<?>[]::new);
        if (topics.size() > newer.topics().size()) {
            for (TopicImage topic : List.copyOf(topics.values())) {
                if (newer.topic(topic.id()) == null) {
                    topics.remove(topic.id());
                    delete(topic);
                }
            }
        }
        return CompletableFuture.allOf(opening);
    }

    private void configure(TopicImage topic) {
        var config = configs.of(topic, image);
        for (PartitionImage p : topic.partitions()) {
            Partition partition = served.find(topic.id(), p.index());
            if (partition != null) {
                partition.configure(config);
            }
        }
    }

    /** One task for each shard, not one for each partition: that is what a start with many of them is made of. */
    private CompletableFuture<Void> open(ShardId id, List<Added> added) {
        ShardSlot slot = slot(id);
        added.forEach(one -> slot.wanted.put(one.partition().partitionId(), one.topic()));
        CompletableFuture<Void> done = new CompletableFuture<>();
        When.done(slot.opened, (shard, failure) -> {
            if (failure != null) {
                done.complete(null);
                return;
            }
            shard.loop().run(() -> {
                try {
                    added.forEach(one -> serve(shard, one.topic(), one.partition()));
                } finally {
                    control.execute(() -> done.complete(null));
                }
            });
        });
        return done;
    }

    /** On the shard's loop. */
    private void serve(Shard shard, TopicImage topic, PartitionImage image) {
        if (served.find(topic.id(), image.index()) != null) {
            return;
        }
        PartitionLog partitionLog = shard.createPartition(image.partitionId());
        Partition partition = new Partition(
                topic.id(),
                topic.name(),
                image.index(),
                partitionLog,
                shard.loop(),
                clock,
                readFailures,
                configs.of(topic, this.image));
        if (served.add(partition)) {
            observer.opened(partition, partitionLog.leaderEpoch());
        } else {
            shard.deletePartition(image.partitionId());
        }
    }

    private ShardSlot slot(ShardId id) {
        ShardSlot known = shards.get(id);
        if (known != null) {
            return known;
        }
        ShardSlot slot = new ShardSlot();
        shards.put(id, slot);
        tryOpen(id, slot, FIRST_RETRY_MS);
        return slot;
    }

    /**
     * A shard that was not opened keeps files of an ended session: its partitions were deleted, and nobody else would let go of what it needs. Any thread.
     */
    void openToLetGo(ShardId id) {
        control.run(() -> {
            ShardImage owner = image.shard(id);
            if (!ended && !shards.containsKey(id) && owner != null && owner.ownerSession() == session) {
                LOG.debug("shard {} is opened because it keeps files of an ended session", id);
                ShardSlot unused = slot(id);
            }
        });
    }

    private void tryOpen(ShardId id, ShardSlot slot, long retryMs) {
        ShardImage owner = image.shard(id);
        if (ended || owner == null || owner.ownerSession() != session) {
            slot.opened.completeExceptionally(new IllegalStateException("shard " + id + " is not ours to open"));
            return;
        }
        When.doneOn(control, log.open(id, owner.epoch(), loopOf(id)), (shard, failure) -> {
            if (ended) {
                slot.opened.completeExceptionally(new IllegalStateException("the session has ended"));
            } else if (failure == null) {
                opened(id, slot, shard);
            } else if (Retry.unwrap(failure) instanceof StoreException store
                    && store.kind() == StoreException.Kind.CORRUPT) {
                // Trying again would mend nothing and keep whoever waits for all shards from serving the sound ones.
                LOG.error(
                        "shard {} is not served before the node starts on a mended store: {}", id, store.getMessage());
                served.damaged(id);
                slot.opened.completeExceptionally(store);
            } else {
                LOG.warn("shard {} could not be opened, trying again in {} ms: {}", id, retryMs, failure.toString());
                var unused = control.schedule(() -> tryOpen(id, slot, Math.min(LAST_RETRY_MS, retryMs * 2)), retryMs);
            }
        });
    }

    /** On the control loop. What the root no longer knows was deleted while the shard was closed. */
    private void opened(ShardId id, ShardSlot slot, Shard shard) {
        Set<Long> known = new HashSet<>(slot.wanted.keySet());
        known.removeAll(slot.deleted);
        shard.loop().run(() -> {
            for (long partitionId : shard.partitionIds()) {
                if (!known.contains(partitionId)) {
                    LOG.info("shard {}: partition {} was deleted, its records go", id, partitionId);
                    shard.deletePartition(partitionId);
                }
            }
            slot.opened.complete(shard);
        });
    }

    private void delete(TopicImage topic) {
        for (Partition partition : served.remove(topic.id())) {
            partition.loop().run(() -> close(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION));
        }
        for (PartitionImage p : topic.partitions()) {
            ShardSlot slot = shards.get(p.shard());
            if (slot == null) {
                continue;
            }
            slot.wanted.remove(p.partitionId());
            slot.deleted.add(p.partitionId());
            When.done(slot.opened, (shard, failure) -> {
                if (failure == null) {
                    shard.loop().run(() -> shard.deletePartition(p.partitionId()));
                }
            });
        }
    }

    private void close(Partition partition, Errors error) {
        observer.closed(partition);
        partition.close(error);
    }

    /** The session is over: nothing of it is served any more. */
    void end() {
        ended = true;
        served.nothingDamaged();
        for (UUID topicId : served.topicIds()) {
            for (Partition partition : served.remove(topicId)) {
                partition.loop().run(() -> close(partition, Errors.NOT_LEADER_OR_FOLLOWER));
            }
        }
    }

    /** Retention and expiry of every partition, on their loops. */
    void tend(long producerExpirationMs) {
        for (Partition partition : served.all()) {
            partition.loop().run(() -> partition.tend(producerExpirationMs));
        }
    }
}
