package io.forebay.cluster.root;

import io.forebay.model.Loop;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads small objects, and listings, to their end. */
final class WholeObject {

    private static final int LIST_LIMIT = 1_000;

    private WholeObject() {}

    /** Fills the buffer, or as much of it as there is; flipped. Completes on the loop. */
    static CompletableFuture<ByteBuffer> read(Store store, Loop loop, ObjectKey key, ByteBuffer bytes) {
        return store.read(key, bytes.position(), bytes)
                .thenComposeAsync(
                        read -> read <= 0 || !bytes.hasRemaining()
                                ? CompletableFuture.completedFuture(bytes.flip())
                                : read(store, loop, key, bytes),
                        loop);
    }

    /** All objects below a prefix. */
    static CompletableFuture<List<ObjectStat>> list(Store store, Loop loop, String prefix, String startAfter) {
        return store.list(prefix, startAfter, LIST_LIMIT)
                .thenComposeAsync(
                        page -> page.size() < LIST_LIMIT
                                ? CompletableFuture.completedFuture(page)
                                : list(
                                                store,
                                                loop,
                                                prefix,
                                                page.get(page.size() - 1).key().value())
                                        .thenApply(rest -> {
                                            List<ObjectStat> all = new ArrayList<>(page);
                                            all.addAll(rest);
                                            return all;
                                        }),
                        loop);
    }
}
