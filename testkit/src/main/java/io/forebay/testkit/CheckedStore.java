package io.forebay.testkit;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreCapabilities;
import io.forebay.store.StoreSpace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Any store, with checks that run when it is closed: nothing may be left open, and whatever a test registered (the log's
 * own consistency, objects that nobody names). As thread-safe as the store within.
 */
public final class CheckedStore implements Store {

    /** Looks at the store within; throws an {@link AssertionError} if something is wrong. */
    public interface Check {
        void run(Store store) throws Exception;
    }

    private final Store store;
    private final List<Check> checks = new CopyOnWriteArrayList<>();
    private final Set<Open> open = ConcurrentHashMap.newKeySet();

    /** Something that must be ended. Compared by identity. */
    private static final class Open {
        private final String what;

        Open(String what) {
            this.what = what;
        }

        @Override
        public String toString() {
            return what;
        }
    }

    public CheckedStore(Store store) {
        this.store = store;
    }

    /** Runs the check within {@link #close}, while the store is still open. */
    public void onClose(Check check) {
        checks.add(check);
    }

    @Override
    public StoreCapabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public CompletableFuture<Optional<StoreSpace>> space() {
        return store.space();
    }

    @Override
    public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
        return store.putIfAbsent(key, content);
    }

    @Override
    public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
        return Relay.to(store.beginUpload(key), Runnable::run, upload -> new CheckedUpload(key, upload));
    }

    @Override
    public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
        return Relay.to(
                store.createAppender(key, successor),
                Runnable::run,
                outcome -> outcome instanceof CreateOutcome.Created created
                        ? new CreateOutcome.Created(new CheckedAppender(key, created.appender()))
                        : outcome);
    }

    @Override
    public CompletableFuture<Long> seal(ObjectKey key) {
        return store.seal(key);
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        return store.read(key, position, destination);
    }

    @Override
    public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
        return store.list(prefix, startAfter, limit);
    }

    @Override
    public CompletableFuture<Void> delete(ObjectKey key) {
        return store.delete(key);
    }

    /** Runs the checks, then closes the store within, also if one failed. */
    @Override
    public void close() {
        try {
            for (Check check : checks) {
                check.run(store);
            }
            if (!open.isEmpty()) {
                throw new AssertionError("left open: " + open);
            }
        } catch (AssertionError | RuntimeException failed) {
            throw failed;
        } catch (Exception failed) {
            throw new AssertionError("a check could not run", failed);
        } finally {
            store.close();
        }
    }

    private final class CheckedAppender implements Appender {
        private final Appender appender;
        private final Open use;

        CheckedAppender(ObjectKey key, Appender appender) {
            this.appender = appender;
            this.use = new Open("the writer of '" + key + "'");
            open.add(use);
        }

        @Override
        public CompletableFuture<AppendOutcome> append(List<ByteBuffer> bytes) {
            return Relay.to(appender.append(bytes), Runnable::run, outcome -> {
                if (!(outcome instanceof AppendOutcome.Durable)) {
                    open.remove(use);
                }
                return outcome;
            });
        }

        @Override
        public CompletableFuture<Void> close() {
            open.remove(use);
            return appender.close();
        }
    }

    private final class CheckedUpload implements ObjectUpload {
        private final ObjectUpload upload;
        private final Open use;

        CheckedUpload(ObjectKey key, ObjectUpload upload) {
            this.upload = upload;
            this.use = new Open("the upload of '" + key + "'");
            open.add(use);
        }

        @Override
        public CompletableFuture<Void> write(ByteBuffer bytes) {
            return upload.write(bytes);
        }

        @Override
        public CompletableFuture<PutOutcome> commit() {
            open.remove(use);
            return upload.commit();
        }

        @Override
        public void abort() {
            open.remove(use);
            upload.abort();
        }
    }
}
