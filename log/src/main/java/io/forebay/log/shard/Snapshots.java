package io.forebay.log.shard;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestCodec;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Memories that are too large for a manifest, in an object of their own. */
final class Snapshots {

    private Snapshots() {}

    /** The memories that go with the manifest, wherever they are. Completes on any thread. */
    static CompletableFuture<List<PartitionMemory>> memories(Store store, Manifest manifest) {
        if (manifest.snapshot().isEmpty()) {
            return CompletableFuture.completedFuture(manifest.memories());
        }
        ObjectKey key = manifest.snapshot().get();
        return store.list(key.value(), "", 1)
                .thenCompose(found -> {
                    if (found.isEmpty() || !found.get(0).key().equals(key)) {
                        throw new StoreException(StoreException.Kind.NOT_FOUND, "snapshot " + key + " is missing");
                    }
                    return read(store, found.get(0));
                })
                .thenApply(bytes -> ManifestCodec.decodeSnapshot(key, bytes));
    }

    private static CompletableFuture<ByteBuffer> read(Store store, ObjectStat stat) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(stat.sizeBytes()));
        return store.read(stat.key(), 0, bytes).thenApply(read -> bytes.flip());
    }
}
