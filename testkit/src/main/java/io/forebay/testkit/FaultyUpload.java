package io.forebay.testkit;

import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** An upload that keeps its bytes with the sender until the commit. Owned by the simulation. */
final class FaultyUpload implements ObjectUpload {

    private final Store store;
    private final ObjectKey key;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean ended;

    FaultyUpload(Store store, ObjectKey key) {
        this.store = store;
        this.key = key;
    }

    @Override
    public CompletableFuture<Void> write(ByteBuffer bytes) {
        if (ended) {
            return CompletableFuture.failedFuture(hasEnded());
        }
        byte[] part = new byte[bytes.remaining()];
        bytes.duplicate().get(part);
        content.writeBytes(part);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<PutOutcome> commit() {
        if (ended) {
            return CompletableFuture.failedFuture(hasEnded());
        }
        ended = true;
        return store.putIfAbsent(key, ByteBuffer.wrap(content.toByteArray()));
    }

    @Override
    public void abort() {
        ended = true;
    }

    private StoreException hasEnded() {
        return new StoreException(StoreException.Kind.INVALID, "the upload of '" + key + "' has ended");
    }
}
