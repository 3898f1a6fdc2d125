package io.forebay.store.memory;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreCapabilities;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A {@link Store} on the heap. Thread-safe; every call is atomic and is answered on the calling thread. */
public final class MemoryStore implements Store {

    private static final long MAX_OBJECT_BYTES = 1L << 30;

    private final Object lock = new Object();
    /** Guarded by {@link #lock}. */
    private final NavigableMap<String, MemoryObject> objects = new TreeMap<>();

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(true, MAX_OBJECT_BYTES);
    }

    @Override
    public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
        return answer(() -> {
            if (!free(key)) {
                return PutOutcome.ALREADY_EXISTS;
            }
            MemoryObject object = new MemoryObject();
            object.add(content);
            object.complete = true;
            objects.put(key.value(), object);
            return PutOutcome.WRITTEN;
        });
    }

    @Override
    public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
        return CompletableFuture.completedFuture(new MemoryUpload(key));
    }

    @Override
    public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
        return answer(() -> {
            if (!free(key)) {
                return new CreateOutcome.AlreadyExists();
            }
            MemoryObject object = new MemoryObject();
            objects.put(key.value(), object);
            return new CreateOutcome.Created(new MemoryAppender(key, object, successor));
        });
    }

    @Override
    public CompletableFuture<Long> seal(ObjectKey key) {
        return answer(() -> {
            MemoryObject object = existing(key);
            object.complete = true;
            return (long) object.size;
        });
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        return answer(() -> {
            if (position < 0) {
                throw new StoreException(StoreException.Kind.INVALID, "negative position " + position);
            }
            MemoryObject object = existing(key);
            int count = (int) Math.min(destination.remaining(), Math.max(0, object.size - position));
            if (count > 0) {
                destination.put(object.bytes, (int) position, count);
            }
            return count;
        });
    }

    @Override
    public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
        return answer(() -> {
            if (limit <= 0) {
                throw new StoreException(StoreException.Kind.INVALID, "a listing has a positive limit, not " + limit);
            }
            List<ObjectStat> found = new ArrayList<>();
            NavigableMap<String, MemoryObject> from = startAfter.compareTo(prefix) < 0
                    ? objects.tailMap(prefix, true)
                    : objects.tailMap(startAfter, false);
            for (var entry : from.entrySet()) {
                if (!entry.getKey().startsWith(prefix) || found.size() == limit) {
                    break;
                }
                found.add(new ObjectStat(ObjectKey.of(entry.getKey()), entry.getValue().size));
            }
            return found;
        });
    }

    @Override
    public CompletableFuture<Void> delete(ObjectKey key) {
        return answer(() -> {
            MemoryObject removed = objects.remove(key.value());
            if (removed != null) {
                removed.complete = true;
            }
            return null;
        });
    }

    @Override
    public void close() {}

    /** Whether nothing has this key. Refuses a key that is, or lies in, another one's folder, as a real folder does. */
    private boolean free(ObjectKey key) {
        String name = key.value();
        if (objects.containsKey(name)) {
            return false;
        }
        String inside = objects.ceilingKey(name + "/");
        if (inside != null && inside.startsWith(name + "/")) {
            throw new StoreException(
                    StoreException.Kind.INVALID, "'" + name + "' is a folder: it holds '" + inside + "'");
        }
        for (int slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
            if (objects.containsKey(name.substring(0, slash))) {
                throw new StoreException(
                        StoreException.Kind.INVALID,
                        "'" + name.substring(0, slash) + "' is an object and cannot hold '" + name + "'");
            }
        }
        return true;
    }

    private MemoryObject existing(ObjectKey key) {
        MemoryObject object = objects.get(key.value());
        if (object == null) {
            throw new StoreException(StoreException.Kind.NOT_FOUND, "no object '" + key + "'");
        }
        return object;
    }

    @SuppressWarnings("NullAway") // a future of Void completes with null
    private <T> CompletableFuture<T> answer(Supplier<T> operation) {
        synchronized (lock) {
            try {
                return CompletableFuture.completedFuture(operation.get());
            } catch (StoreException refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }
    }

    private final class MemoryAppender implements Appender {
        private final ObjectKey key;
        private final MemoryObject object;
        private final ObjectKey successor;
        private boolean ended;

        MemoryAppender(ObjectKey key, MemoryObject object, ObjectKey successor) {
            this.key = key;
            this.object = object;
            this.successor = successor;
        }

        @Override
        public CompletableFuture<AppendOutcome> append(List<ByteBuffer> bytes) {
            return answer(() -> {
                if (ended) {
                    return new AppendOutcome.Failed(
                            new StoreException(StoreException.Kind.INVALID, "the writer of '" + key + "' has ended"));
                }
                if (object.complete || objects.containsKey(successor.value())) {
                    ended = true;
                    return new AppendOutcome.Fenced();
                }
                long asked = 0;
                for (ByteBuffer part : bytes) {
                    asked += part.remaining();
                }
                if (object.size + asked > MAX_OBJECT_BYTES) {
                    ended = true;
                    return new AppendOutcome.Failed(tooLarge());
                }
                bytes.forEach(object::add);
                return new AppendOutcome.Durable(object.size);
            });
        }

        @Override
        public CompletableFuture<Void> close() {
            return answer(() -> {
                ended = true;
                return null;
            });
        }
    }

    private final class MemoryUpload implements ObjectUpload {
        private final ObjectKey key;
        private MemoryObject content = new MemoryObject();
        private boolean ended;

        MemoryUpload(ObjectKey key) {
            this.key = key;
        }

        @Override
        public CompletableFuture<Void> write(ByteBuffer bytes) {
            return answer(() -> {
                checkOpen();
                content.add(bytes);
                return null;
            });
        }

        @Override
        public CompletableFuture<PutOutcome> commit() {
            return answer(() -> {
                checkOpen();
                ended = true;
                if (!free(key)) {
                    return PutOutcome.ALREADY_EXISTS;
                }
                content.complete = true;
                objects.put(key.value(), content);
                return PutOutcome.WRITTEN;
            });
        }

        @Override
        public void abort() {
            synchronized (lock) {
                if (!ended) {
                    ended = true;
                    content = new MemoryObject();
                }
            }
        }

        private void checkOpen() {
            if (ended) {
                throw new StoreException(StoreException.Kind.INVALID, "the upload of '" + key + "' has ended");
            }
        }
    }

    private static StoreException tooLarge() {
        return new StoreException(
                StoreException.Kind.INVALID, "an object in memory has at most " + MAX_OBJECT_BYTES + " bytes");
    }

    /** Bytes that only grow. Guarded by the store's lock. */
    private static final class MemoryObject {
        private byte[] bytes = new byte[0];
        private int size;
        private boolean complete;

        void add(ByteBuffer more) {
            int count = more.remaining();
            if ((long) size + count > MAX_OBJECT_BYTES) {
                throw tooLarge();
            }
            if (size + count > bytes.length) {
                byte[] larger = new byte[(int) Math.min(MAX_OBJECT_BYTES, Math.max(size + (long) count, 2L * size))];
                System.arraycopy(bytes, 0, larger, 0, size);
                bytes = larger;
            }
            more.get(more.position(), bytes, size, count);
            size += count;
        }
    }
}
