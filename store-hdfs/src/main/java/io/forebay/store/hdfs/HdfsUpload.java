package io.forebay.store.hdfs;

import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An object in the making: a temporary file that a commit gives its name. One call at a time. */
final class HdfsUpload implements ObjectUpload {

    private final TemporaryFiles temporary;
    private final HdfsWork work;
    private final ObjectKey key;
    /** Null until something is written, and after the end. */
    private @Nullable WritingFile content;

    private boolean ended;

    HdfsUpload(TemporaryFiles temporary, HdfsWork work, ObjectKey key) {
        this.temporary = temporary;
        this.work = work;
        this.key = key;
    }

    @Override
    public CompletableFuture<Void> write(ByteBuffer bytes) {
        ByteBuffer part = bytes.duplicate();
        return work.runStep("cannot write to the upload of '" + key + "'", () -> {
            WritingFile file = open();
            try {
                file.write(part);
            } catch (IOException failed) {
                temporary.learn(file, failed);
                throw failed;
            }
        });
    }

    @Override
    public CompletableFuture<PutOutcome> commit() {
        return work.run("cannot commit the upload of '" + key + "'", () -> {
            WritingFile file = open();
            try {
                temporary.complete(file);
                PutOutcome outcome = temporary.publish(file, key);
                forget();
                return outcome;
            } finally {
                end();
            }
        });
    }

    @Override
    public void abort() {
        var unused = work.runStep("cannot abort the upload of '" + key + "'", this::end);
    }

    private synchronized WritingFile open() throws IOException {
        if (ended) {
            throw new StoreException(StoreException.Kind.INVALID, "the upload of '" + key + "' has ended");
        }
        WritingFile file = content;
        if (file == null) {
            file = temporary.create();
            content = file;
        }
        return file;
    }

    /** The file has its name, or lost it to another object, or nobody knows: it is not ours to drop. */
    private synchronized void forget() {
        content = null;
    }

    private synchronized void end() {
        ended = true;
        WritingFile file = content;
        content = null;
        if (file != null) {
            temporary.discard(file);
        }
    }
}
