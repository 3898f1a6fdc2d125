package io.forebay.store.local;

import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An object in the making: a temporary file that a commit gives its name. One call at a time. */
final class LocalUpload implements ObjectUpload {

    private final LocalStore store;
    private final ObjectKey key;
    /** Null until something is written, and after the end. */
    private @Nullable TemporaryFile content;

    private boolean ended;

    LocalUpload(LocalStore store, ObjectKey key) {
        this.store = store;
        this.key = key;
    }

    @Override
    public CompletableFuture<Void> write(ByteBuffer bytes) {
        ByteBuffer part = bytes.duplicate();
        return store.io().runStep("cannot write to the upload of '" + key + "'", () -> {
            store.checkSpaceForMore();
            open().write(part);
        });
    }

    @Override
    public CompletableFuture<PutOutcome> commit() {
        return store.io().run("cannot commit the upload of '" + key + "'", () -> {
            TemporaryFile file = open();
            try {
                file.sync();
                return store.publish(file, key);
            } finally {
                end();
            }
        });
    }

    @Override
    public void abort() {
        var unused = store.io().runStep("cannot abort the upload of '" + key + "'", this::end);
    }

    private synchronized TemporaryFile open() throws IOException {
        if (ended) {
            throw new StoreException(StoreException.Kind.INVALID, "the upload of '" + key + "' has ended");
        }
        TemporaryFile file = content;
        if (file == null) {
            file = store.temporaryFile();
            content = file;
        }
        return file;
    }

    private synchronized void end() {
        ended = true;
        TemporaryFile file = content;
        content = null;
        if (file != null) {
            file.close();
        }
    }
}
