package io.forebay.store.local;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The writer of one growing file: <em>write, sync, then look</em>.
 *
 * <p>The look for the successor comes last. A fencer makes the successor first and reads the file's end after that; so if
 * the look saw nothing, the bytes were there before the fencer read the end, and are inside it.
 *
 * <p>States: open → ended, at the first outcome other than durable or at {@link #close}. An ended writer never touches
 * the file again: after a failed sync the operating system may have dropped the bytes and forgotten about it.
 *
 * <p>Owned by one thread, on which it blocks; {@link #abandon} may come from any.
 */
final class LocalAppender implements Appender {

    private final LocalStore store;
    private final ObjectKey key;
    private final Path successor;
    private final FileChannel file;
    private final boolean syncs;
    private long durableEnd;
    private boolean ended;

    LocalAppender(LocalStore store, ObjectKey key, Path successor, FileChannel file, boolean syncs) {
        this.store = store;
        this.key = key;
        this.successor = successor;
        this.file = file;
        this.syncs = syncs;
    }

    @Override
    public CompletableFuture<AppendOutcome> append(List<ByteBuffer> bytes) {
        if (ended) {
            return CompletableFuture.completedFuture(new AppendOutcome.Failed(new StoreException(
                    StoreException.Kind.INVALID, "the writer of '" + key + "' has ended: nothing was written")));
        }
        // An interrupt would close the channel in the middle of a write.
        boolean interrupted = Thread.interrupted();
        try {
            return CompletableFuture.completedFuture(writeSyncLook(bytes));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public CompletableFuture<Void> close() {
        if (!ended) {
            end();
            store.writerFinished(key, durableEnd);
        }
        return CompletableFuture.completedFuture(null);
    }

    /** Closes the file under a writer that may still be at work; its append fails. */
    void abandon() {
        closeFile();
    }

    private AppendOutcome writeSyncLook(List<ByteBuffer> bytes) {
        try {
            store.checkSpaceForMore();
            ByteBuffer[] parts = new ByteBuffer[bytes.size()];
            long added = 0;
            for (int i = 0; i < parts.length; i++) {
                parts[i] = bytes.get(i).duplicate();
                added += parts[i].remaining();
            }
            store.disk().writeAll(file, parts);
            if (syncs) {
                store.disk().sync(file);
            }
            if (store.disk().exists(successor)) {
                end();
                return new AppendOutcome.Fenced();
            }
            durableEnd += added;
            return new AppendOutcome.Durable(durableEnd);
        } catch (IOException failed) {
            return fail(store.io().translate("cannot append to '" + key + "'", failed));
        } catch (StoreException refused) {
            return fail(refused);
        }
    }

    private AppendOutcome fail(StoreException cause) {
        end();
        store.writerFailed(key, durableEnd, cause);
        return new AppendOutcome.Failed(cause);
    }

    private void end() {
        if (!ended) {
            ended = true;
            closeFile();
            store.writerEnded(this);
        }
    }

    private void closeFile() {
        try {
            file.close();
        } catch (IOException nothingIsLost) {
            // What counts was synced before; what was not is not counted.
        }
    }
}
