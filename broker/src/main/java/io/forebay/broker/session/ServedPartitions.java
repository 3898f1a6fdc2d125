package io.forebay.broker.session;

import io.forebay.broker.partition.Partition;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The partitions that are served here right now, by topic id and index. Read from any thread, changed by the control loop and shard loops. */
public final class ServedPartitions {

    private final Map<UUID, AtomicReferenceArray<@Nullable Partition>> topics = new ConcurrentHashMap<>();

    /** Shards of this session that stay closed because the store has lost what they need. */
    private final Set<ShardId> damaged = ConcurrentHashMap.newKeySet();

    /** The partition, or null if it isn't served here. */
    public @Nullable Partition find(UUID topicId, int index) {
        AtomicReferenceArray<@Nullable Partition> topic = topics.get(topicId);
        return topic == null || index < 0 || index >= topic.length() ? null : topic.get(index);
    }

    /** Everything that is served. */
    public Collection<Partition> all() {
        List<Partition> all = new ArrayList<>();
        topics.values().forEach(topic -> {
            for (int i = 0; i < topic.length(); i++) {
                Partition partition = topic.get(i);
                if (partition != null) {
                    all.add(partition);
                }
            }
        });
        return all;
    }

    /** Whether a shard that is ours stays closed because of damage in the store. Any thread. */
    public boolean isDamaged(ShardId shard) {
        return damaged.contains(shard);
    }

    void damaged(ShardId shard) {
        damaged.add(shard);
    }

    void notDamaged(ShardId shard) {
        damaged.remove(shard);
    }

    /** The next session looks anew. */
    void nothingDamaged() {
        damaged.clear();
    }

    /** Makes room for a topic's partitions; keeps those that are served. On the control loop. */
    void size(UUID topicId, int partitions) {
        topics.compute(topicId, (id, before) -> {
            if (before != null && before.length() >= partitions) {
                return before;
            }
            AtomicReferenceArray<@Nullable Partition> larger = new AtomicReferenceArray<>(partitions);
            for (int i = 0; before != null && i < before.length(); i++) {
                larger.set(i, before.get(i));
            }
            return larger;
        });
    }

    /** Begins to serve. False if the topic has gone meanwhile. */
    boolean add(Partition partition) {
        return topics.computeIfPresent(partition.topicId(), (id, topic) -> {
                    topic.set(partition.index(), partition);
                    return topic;
                })
                != null;
    }

    /** Ends serving one partition, if it is still this one that is served. */
    void remove(Partition partition) {
        AtomicReferenceArray<@Nullable Partition> topic = topics.get(partition.topicId());
        if (topic != null) {
            topic.compareAndSet(partition.index(), partition, null);
        }
    }

    /** Ends serving a topic; what was served of it is returned. */
    List<Partition> remove(UUID topicId) {
        AtomicReferenceArray<@Nullable Partition> topic = topics.remove(topicId);
        List<Partition> removed = new ArrayList<>();
        for (int i = 0; topic != null && i < topic.length(); i++) {
            Partition partition = topic.get(i);
            if (partition != null) {
                removed.add(partition);
            }
        }
        return removed;
    }

    Collection<UUID> topicIds() {
        return List.copyOf(topics.keySet());
    }
}
