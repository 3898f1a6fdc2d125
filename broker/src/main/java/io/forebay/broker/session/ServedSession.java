package io.forebay.broker.session;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.ReadFailures;
import io.forebay.broker.partition.TopicConfigSource;
import io.forebay.broker.session.ShardSlot.Wanted;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.cluster.member.ShardReport;
import io.forebay.log.NodeLog;
import io.forebay.log.partition.PartitionLog;
import io.forebay.log.shard.Shard;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import io.forebay.store.StoreException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one session serves: follows the image, opens the shards that it was given, and their partitions, releases those that should go elsewhere, and lets go
 * of those that others were given.
 *
 * <p>Owned by the control loop. A shard is opened when the first partition in it is wanted, or when it keeps files of an ended session; every
 * shard by itself, so that one that fails holds up no other. A failure that may pass is tried again; a shard whose store is damaged stays closed,
 * and clients of its partitions are told KAFKA_STORAGE_ERROR. What was released is never opened again under the same epoch.
 * {@link #end} is final: a new session gets a new object.
 */
final class ServedSession {

    private static final Logger LOG = LoggerFactory.getLogger(ServedSession.class);
    private static final long FIRST_RETRY_MS = 50;
    private static final long LAST_RETRY_MS = 2_000;
    private static final long NEVER = -1;
    private static final long LEISURE_MS = 2_000;

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
    private final ServingProof proof;
    private final Runnable reportChanged;
    private final Runnable giveUp;
    private final Map<ShardId, ShardSlot> shards = new HashMap<>();
    /** Epochs of the shards that the image gives to this session. */
    private final Map<ShardId, Long> owned = new HashMap<>();
    /** Shards that were given to this session and are looked at later, in case nobody opens them. */
    private final Queue<ShardId> unlooked = new ArrayDeque<>();

    /** Epochs of the shards that this session has given up. */
    private final Map<ShardId, Long> released = new HashMap<>();

    private final Map<UUID, TopicImage> topics = new HashMap<>();
    private volatile ClusterImage image;
    private boolean ended;

    /**
     * Serves nothing before it follows an image.
     *
     * @param reportChanged told on the control loop when the controller waits for what {@link #report} says now
     * @param giveUp ends the session: a shard is in a state that only its fence resolves
     */
    ServedSession(
            int nodeId,
            NodeLog log,
            List<Loop> loops,
            Loop control,
            Clock clock,
            TopicConfigSource configs,
            ServedPartitions served,
            PartitionObserver observer,
            ClusterImage image,
            ServingProof proof,
            Runnable reportChanged,
            Runnable giveUp) {
        this.nodeId = Integer.toString(nodeId);
        this.session = log.session();
        this.log = log;
        this.loops = List.copyOf(loops);
        this.control = control;
        this.clock = clock;
        this.readFailures = new ReadFailures(clock);
        this.configs = configs;
        this.served = served;
        this.observer = observer;
        this.image = image;
        this.proof = proof;
        this.reportChanged = reportChanged;
        this.giveUp = giveUp;
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
        Set<ShardId> gained = followOwners(newer);
        Map<ShardId, List<Wanted>> added = new HashMap<>();
        for (TopicImage topic : newer.topics()) {
            TopicImage before = topics.put(topic.id(), topic);
            boolean changed = !topic.equals(before);
            if (!changed && !configsChanged && gained.isEmpty()) {
                continue;
            }
            int known = before == null ? 0 : before.partitions().size();
            if (known < topic.partitions().size()) {
                served.size(topic.id(), topic.partitions().size());
            }
            for (PartitionImage partition : topic.partitions()) {
                ShardId shard = partition.shard();
                if (gained.contains(shard) || (partition.index() >= known && owned.containsKey(shard))) {
                    added.computeIfAbsent(shard, s -> new ArrayList<>()).add(new Wanted(topic, partition));
                }
            }
            if (changed || configsChanged) {
                configure(topic);
            }
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

    /** Lets go of what others own now. Returns what this session was given. */
    private Set<ShardId> followOwners(ClusterImage newer) {
        Set<ShardId> gained = new HashSet<>();
        for (ShardImage shard : newer.shards()) {
            ShardId id = shard.id();
            if (released.getOrDefault(id, NEVER) < shard.epoch()) {
                released.remove(id);
            }
            boolean mine = shard.ownerSession() == session && !released.containsKey(id);
            Long before = owned.get(id);
            if (before != null && (!mine || before != shard.epoch())) {
                owned.remove(id);
                lose(id);
                before = null;
            }
            if (mine && before == null) {
                owned.put(id, shard.epoch());
                gained.add(id);
                unlooked.add(id);
            }
        }
        return gained;
    }

    /** The shard is somebody else's, or this session's under another epoch. */
    private void lose(ShardId id) {
        ShardSlot slot = shards.remove(id);
        served.notDamaged(id);
        if (slot == null) {
            return;
        }
        endServing(id, slot);
        When.done(slot.opened, (shard, failure) -> {
            if (failure == null) {
                shard.loop().run(shard::abandon);
            }
        });
        if (!slot.open) {
            log.cancelOpen(id, slot.epoch);
        }
        slot.opened.completeExceptionally(notOurs(id));
    }

    /** Partitions end on the shard's loop, where they began. */
    private void endServing(ShardId id, ShardSlot slot) {
        slot.over = true;
        List<Wanted> all = List.copyOf(slot.wanted.values());
        loopOf(id).execute(() -> {
            for (Wanted one : all) {
                Partition partition =
                        served.find(one.topic().id(), one.partition().index());
                if (partition != null) {
                    served.remove(partition);
                    close(partition, Errors.NOT_LEADER_OR_FOLLOWER);
                }
            }
        });
    }

    private static IllegalStateException notOurs(ShardId id) {
        return new IllegalStateException("shard " + id + " is not ours to open");
    }

    /** Gives a shard up, as the controller wishes: appends end, what is in flight is flushed, the manifest says so. Harmless if repeated. */
    void release(ShardId id, long epoch) {
        Long mine = owned.get(id);
        ShardSlot slot = shards.get(id);
        if (ended || mine == null || mine != epoch || (slot != null && slot.releasing)) {
            return;
        }
        if (slot == null) {
            releasedNow(id, epoch);
            return;
        }
        slot.releasing = true;
        endServing(id, slot);
        When.done(slot.opened, (shard, failure) -> {
            if (failure != null) {
                control.execute(() -> releasedNow(id, epoch));
                return;
            }
            shard.loop()
                    .execute(() -> When.doneOn(control, shard.release(), (done, failed) -> {
                        if (failed == null) {
                            releasedNow(id, epoch);
                        } else if (!ended) {
                            // Nobody may open it before this session is fenced, so that it must be.
                            LOG.warn("shard {} could not be released, so the session ends: {}", id, failed.toString());
                            giveUp.run();
                        }
                    }));
        });
    }

    /** It is never opened under this epoch again. */
    private void releasedNow(ShardId id, long epoch) {
        Long mine = owned.get(id);
        if (!ended && mine != null && mine == epoch) {
            owned.remove(id);
            shards.remove(id);
            served.notDamaged(id);
            released.put(id, epoch);
            reportChanged.run();
        }
    }

    /** What the controller should know. */
    ShardReport report() {
        Map<ShardId, Long> open = new HashMap<>();
        Map<ShardId, Long> loads = new HashMap<>();
        long now = clock.nanos();
        shards.forEach((id, slot) -> {
            if (slot.open && !slot.over) {
                open.put(id, slot.epoch);
                long load = slot.load(now);
                if (load > 0) {
                    loads.put(id, load);
                }
            }
        });
        return new ShardReport(open, released, loads, proof.ageMs());
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
    private CompletableFuture<Void> open(ShardId id, List<Wanted> added) {
        ShardSlot slot = slot(id);
        added.forEach(one -> slot.wanted.put(one.partition().partitionId(), one));
        CompletableFuture<Void> done = new CompletableFuture<>();
        When.done(slot.opened, (shard, failure) -> {
            if (failure != null) {
                done.complete(null);
                return;
            }
            shard.loop().run(() -> {
                try {
                    added.forEach(one -> serve(shard, slot, one.topic(), one.partition()));
                } finally {
                    control.execute(() -> done.complete(null));
                }
            });
        });
        return done;
    }

    /** On the shard's loop. */
    private void serve(Shard shard, ShardSlot slot, TopicImage topic, PartitionImage image) {
        if (slot.over || served.find(topic.id(), image.index()) != null) {
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
                proof,
                configs.of(topic, this.image),
                slot.load);
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
        ShardSlot slot = new ShardSlot(owned.getOrDefault(id, NEVER), clock.nanos());
        shards.put(id, slot);
        tryOpen(id, slot, FIRST_RETRY_MS);
        return slot;
    }

    /**
     * A shard that was not opened keeps files of an ended session: its partitions were deleted, and nobody else would let go of what it needs. Any thread.
     */
    void openToLetGo(ShardId id) {
        control.run(() -> {
            if (!ended && !shards.containsKey(id) && owned.containsKey(id)) {
                LOG.debug("shard {} is opened because it keeps files of an ended session", id);
                ShardSlot unused = slot(id);
            }
        });
    }

    /** One owned shard after the other, at leisure: one that is not open may keep journals of sessions on any node. Begins with the session. */
    void lookAtLeisure() {
        if (ended) {
            return;
        }
        ShardId id = unlooked.poll();
        if (id != null && owned.containsKey(id) && !shards.containsKey(id)) {
            When.done(log.namesJournals(id), (names, failure) -> {
                if (failure == null && names) {
                    openToLetGo(id);
                }
            });
        }
        var unused = control.schedule(this::lookAtLeisure, LEISURE_MS);
    }

    private void tryOpen(ShardId id, ShardSlot slot, long retryMs) {
        if (ended || shards.get(id) != slot || owned.getOrDefault(id, NEVER) != slot.epoch || slot.releasing) {
            slot.opened.completeExceptionally(notOurs(id));
            return;
        }
        When.doneOn(control, log.open(id, slot.epoch, loopOf(id)), (shard, failure) -> {
            if (failure == null) {
                opened(id, slot, shard);
            } else if (ended) {
                slot.opened.completeExceptionally(new IllegalStateException("the session has ended"));
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
        if (ended || shards.get(id) != slot) {
            shard.loop().execute(shard::abandon);
            slot.opened.completeExceptionally(notOurs(id));
            return;
        }
        slot.open = true;
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
        proof.end();
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
