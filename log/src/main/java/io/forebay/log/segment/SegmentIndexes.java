package io.forebay.log.segment;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.model.Loop;
import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The indexes of segments that readers used last, as many as fit. Owned by one loop, shared by all its shards. */
public final class SegmentIndexes {

    private final Store store;
    private final Loop loop;
    private final long limitBytes;
    private final LinkedHashMap<ObjectKey, SegmentIndex> recent = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<ObjectKey, CompletableFuture<SegmentIndex>> loading = new HashMap<>();
    private long bytes;

    public SegmentIndexes(Store store, Loop loop, long limitBytes) {
        this.store = store;
        this.loop = loop;
        this.limitBytes = limitBytes;
    }

    /** The index, from memory or the store. Completes on the loop; failures as of {@link SegmentFooters#read}. */
    public CompletableFuture<SegmentIndex> index(SegmentEntry segment) {
        SegmentIndex known = recent.get(segment.key());
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<SegmentIndex> pending = loading.get(segment.key());
        if (pending != null) {
            return pending.copy();
        }
        CompletableFuture<SegmentIndex> result = new CompletableFuture<>();
        loading.put(segment.key(), result);
        var unused = SegmentFooters.read(store, segment.key(), segment.sizeBytes())
                .whenCompleteAsync(
                        (index, thrown) -> {
                            loading.remove(segment.key());
                            if (thrown == null) {
                                keep(segment.key(), index);
                                result.complete(index);
                            } else {
                                result.completeExceptionally(thrown);
                            }
                        },
                        loop);
        return result;
    }

    /** The segment is gone. */
    public void forget(ObjectKey key) {
        SegmentIndex gone = recent.remove(key);
        if (gone != null) {
            bytes -= gone.sizeBytes();
        }
    }

    private void keep(ObjectKey key, SegmentIndex index) {
        recent.put(key, index);
        bytes += index.sizeBytes();
        Iterator<SegmentIndex> eldest = recent.values().iterator();
        while (bytes > limitBytes && recent.size() > 1) {
            bytes -= eldest.next().sizeBytes();
            eldest.remove();
        }
    }
}
