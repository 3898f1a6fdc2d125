package io.forebay.store;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** An object in the making. One caller at a time; each call waits for the one before. */
public interface ObjectUpload {

    /** Adds bytes. They must not change until the future completes. */
    CompletableFuture<Void> write(ByteBuffer bytes);

    /** Makes the object visible and durable unless the key is taken. Ends the upload. */
    CompletableFuture<PutOutcome> commit();

    /** Drops what was written. Ends the upload; harmless after commit. */
    void abort();
}
