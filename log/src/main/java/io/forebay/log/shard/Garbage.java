package io.forebay.log.shard;

import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestStore;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Objects of an open shard that no manifest names any more, and their deletion. Owned by the shard loop.
 *
 * <p>Only the owner deletes, and only after reading the current manifest again: an object that it does not name is never named
 * later, unless this owner's own flush or merge is about to. So an object goes when it was replaced and a grace period for
 * readers is over, when it belongs to an own attempt that has ended, or when its epoch is below the current manifest's.
 */
final class Garbage {

    private static final int LIST_LIMIT = 1_000;

    private final Shard shard;
    private final ShardPorts ports;
    private final ManifestStore manifests;
    private final Map<ObjectKey, Long> dueMs = new LinkedHashMap<>();
    private Set<ObjectKey> named;
    private boolean busy;
    private volatile boolean any;

    Garbage(Shard shard, Manifest first, ManifestStore manifests) {
        this.shard = shard;
        this.ports = shard.ports();
        this.manifests = manifests;
        this.named = namedBy(first);
    }

    private static Set<ObjectKey> namedBy(Manifest manifest) {
        Set<ObjectKey> named = new HashSet<>();
        for (SegmentEntry segment : manifest.segments()) {
            named.add(segment.key());
        }
        manifest.snapshot().ifPresent(named::add);
        return named;
    }

    /** An object of an attempt that will never be named. */
    void attemptEnded(ObjectKey key) {
        dueMs.put(key, ports.clock().wallMs());
        any = true;
    }

    /** A newer manifest counts: what it names no longer goes after the grace period. */
    void keep(Manifest manifest) {
        Set<ObjectKey> now = namedBy(manifest);
        long due = ports.clock().wallMs() + ports.config().graceMs();
        for (ObjectKey key : named) {
            if (!now.contains(key)) {
                dueMs.put(key, due);
            }
        }
        named = now;
        any = !dueMs.isEmpty();
    }

    /** Whether there is anything that must go some day. Any thread; may be a little behind. */
    boolean any() {
        return any;
    }

    /** Whether anything can be deleted now. */
    boolean isDue() {
        long now = ports.clock().wallMs();
        return !busy && dueMs.values().stream().anyMatch(due -> due <= now);
    }

    /** Deletes what is due. Completes on the shard loop, also when the store failed: then a later call tries again. */
    CompletableFuture<Void> collect() {
        long now = ports.clock().wallMs();
        List<ObjectKey> keys = new ArrayList<>();
        for (Map.Entry<ObjectKey, Long> entry : dueMs.entrySet()) {
            if (entry.getValue() <= now) {
                keys.add(entry.getKey());
            }
        }
        return deleteUnnamed(keys);
    }

    /** Looks for objects that owners of earlier epochs have left unnamed, and deletes them. */
    CompletableFuture<Void> sweep() {
        return orphans("", new ArrayList<>())
                .thenComposeAsync(this::deleteUnnamed, ports.loop())
                .exceptionally(thrown -> null);
    }

    private CompletableFuture<List<ObjectKey>> orphans(String startAfter, List<ObjectKey> found) {
        int id = shard.id().value();
        return ports.store()
                .list(ObjectNames.shardPrefix(id), startAfter, LIST_LIMIT)
                .thenCompose(page -> {
                    for (ObjectStat stat : page) {
                        long epoch = ObjectNames.epochOf(id, stat.key());
                        if (epoch >= 0 && epoch < shard.epoch()) {
                            found.add(stat.key());
                        }
                    }
                    return page.size() < LIST_LIMIT
                            ? CompletableFuture.completedFuture(found)
                            : orphans(page.get(page.size() - 1).key().value(), found);
                });
    }

    private CompletableFuture<Void> deleteUnnamed(List<ObjectKey> keys) {
        if (busy || keys.isEmpty() || !shard.isOpen()) {
            return CompletableFuture.completedFuture(null);
        }
        busy = true;
        return manifests
                .readCurrent()
                .thenCompose(current -> {
                    if (current.isEmpty() || current.get().epoch() != shard.epoch()) {
                        return CompletableFuture.<Void>completedFuture(null);
                    }
                    return deleteEach(unnamed(keys, current.get()).iterator());
                })
                .whenCompleteAsync((done, thrown) -> busy = false, ports.loop())
                .exceptionally(thrown -> null);
    }

    /** Those that may go: not named by the current manifest, nor by the newest that this owner knows to count. */
    private List<ObjectKey> unnamed(List<ObjectKey> keys, Manifest current) {
        List<ObjectKey> unnamed = new ArrayList<>();
        for (ObjectKey key : keys) {
            if (!current.names(key) && !named.contains(key)) {
                unnamed.add(key);
            }
        }
        return unnamed;
    }

    private CompletableFuture<Void> deleteEach(Iterator<ObjectKey> keys) {
        if (!keys.hasNext() || !shard.isOpen()) {
            return CompletableFuture.completedFuture(null);
        }
        ObjectKey key = keys.next();
        return ports.store()
                .delete(key)
                .thenComposeAsync(
                        done -> {
                            dueMs.remove(key);
                            any = !dueMs.isEmpty();
                            ports.cache().drop(key);
                            ports.indexes().forget(key);
                            return deleteEach(keys);
                        },
                        ports.loop());
    }
}
