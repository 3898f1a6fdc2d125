package io.forebay.store.hdfs;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The writer of one growing file: <em>write, flush, then count</em> the DataNodes that hold it.
 *
 * <p>Nobody is looked for after a flush, for the lease is the fence: whoever seals the file takes its replicas away from this writer, and
 * no flush succeeds once all DataNodes of the file do not accept it. What a flush got acknowledged before lies inside the recovered end.
 *
 * <p>States: open → (a DataNode was lost: the next append ends it before it writes) → ended, at the first outcome other than durable or
 * at {@link #close}. An ended writer never touches the file again.
 *
 * <p>Owned by one thread, on which it blocks for the time-out of a flush at most, and two seconds more if that failed; {@link #abandon}
 * may come from any.
 */
final class HdfsAppender implements Appender {

    private final HdfsStore store;
    private final ObjectKey key;
    private final ObjectKey successor;
    private final WritingFile file;
    private long durableEnd;
    private boolean ended;

    HdfsAppender(HdfsStore store, ObjectKey key, ObjectKey successor, WritingFile file) {
        this.store = store;
        this.key = key;
        this.successor = successor;
        this.file = file;
    }

    @Override
    public CompletableFuture<AppendOutcome> append(List<ByteBuffer> bytes) {
        if (ended) {
            return CompletableFuture.completedFuture(new AppendOutcome.Failed(
                    new StoreException(Kind.INVALID, "the writer of '" + key + "' has ended: nothing was written")));
        }
        // The client gives up a flush in the middle when it is interrupted.
        boolean interrupted = Thread.interrupted();
        try {
            return CompletableFuture.completedFuture(writeFlushCount(bytes));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public CompletableFuture<Void> close() {
        if (ended) {
            return CompletableFuture.completedFuture(null);
        }
        ended = true;
        return store.closeFile(this);
    }

    /** Lets go of the file under a writer that may still be at work; its append fails. Blocks. */
    void abandon() {
        try {
            file.abort();
        } catch (IOException nothingIsLost) {
            // What counts was flushed before; the next owner seals the file.
        }
    }

    ObjectKey key() {
        return key;
    }

    WritingFile file() {
        return file;
    }

    private AppendOutcome writeFlushCount(List<ByteBuffer> bytes) {
        if (!file.lost().isEmpty()) {
            store.learn(file);
            // Everything in it is acknowledged, so it is worth an end in good order.
            var unused = close();
            if (store.existsSoon(successor)) {
                return new AppendOutcome.Fenced();
            }
            return failed("the file has lost " + file.lost().size() + " of its DataNodes and is written no more");
        }
        IOException failure = null;
        try {
            for (ByteBuffer part : bytes) {
                file.write(part);
            }
            file.flush();
        } catch (IOException thrown) {
            failure = thrown;
        } catch (RuntimeException thrown) {
            failure = new IOException("the Hadoop client failed: " + thrown, thrown);
        }
        if (failure != null) {
            return afterFailure(failure);
        }
        if (file.written() > 0 && file.holders() < store.minDataNodes()) {
            return tooFew();
        }
        durableEnd = file.written();
        return new AppendOutcome.Durable(durableEnd);
    }

    private AppendOutcome tooFew() {
        store.learn(file);
        boolean fenced = store.existsSoon(successor);
        end();
        if (fenced) {
            return new AppendOutcome.Fenced();
        }
        String advice = file.lost().isEmpty()
                ? "; start more DataNodes or, if the cluster has no more, lower store.hdfs.min.datanodes"
                : "";
        return failed("only " + file.holders() + " DataNodes hold it and store.hdfs.min.datanodes is "
                + store.minDataNodes() + advice);
    }

    private AppendOutcome afterFailure(IOException failure) {
        boolean late = file.late();
        boolean fenced = store.existsSoon(successor);
        if (!fenced) {
            store.learn(file, failure);
        }
        end();
        if (fenced) {
            return new AppendOutcome.Fenced();
        }
        return late
                ? failed("the flush was not acknowledged within " + store.flushTimeoutMs() + " ms")
                : new AppendOutcome.Failed(store.work().translate("cannot append to '" + key + "'", failure));
    }

    private AppendOutcome failed(String why) {
        return new AppendOutcome.Failed(new StoreException(Kind.UNAVAILABLE, "cannot append to '" + key + "': " + why));
    }

    /** The file is not touched again, and closed by whoever seals it: in the background, us. */
    private void end() {
        if (!ended) {
            ended = true;
            store.writerFailed(this, durableEnd);
        }
    }
}
