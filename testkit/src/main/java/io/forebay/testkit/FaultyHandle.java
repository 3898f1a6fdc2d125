package io.forebay.testkit;

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
import java.util.concurrent.CompletableFuture;

/** A {@link FaultyStore} as one process sees it. Owned by the simulation. */
final class FaultyHandle implements Store {

    private static final ObjectKey NO_KEY = ObjectKey.of("list");

    private final FaultyStore store;
    private final SimulatedProcess process;
    private final SimulatedLoop thread;

    FaultyHandle(FaultyStore store, SimulatedProcess process) {
        this.store = store;
        this.process = process;
        this.thread = process.loop("store");
    }

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(store.append(), 1L << 30);
    }

    @Override
    public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
        WatchedBytes bytes = new WatchedBytes(List.of(content));
        FaultyRequest request = request(StoreOperation.PUT, key);
        return bytes.watch(
                store.simulation(),
                request.run(
                        outcome -> {
                            FaultyObject object = FaultyObject.whole(process, bytes.copy());
                            boolean made = store.name(key, object);
                            request.then(() -> {
                                makeNameDurable(key);
                                outcome.complete(made ? PutOutcome.WRITTEN : PutOutcome.ALREADY_EXISTS);
                            });
                        },
                        outcome -> {
                            if (store.chance().nextBoolean()) {
                                outcome.complete(PutOutcome.OUTCOME_UNKNOWN);
                            } else {
                                outcome.completeExceptionally(timedOut());
                            }
                        }));
    }

    @Override
    public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
        return CompletableFuture.completedFuture(new FaultyUpload(this, key));
    }

    @Override
    public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
        if (!store.append()) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.INVALID, "this store does not append: '" + key + "'"));
        }
        FaultyRequest request = request(StoreOperation.CREATE, key);
        return request.run(
                outcome -> {
                    FaultyObject object = new FaultyObject(process, false);
                    boolean made = store.name(key, object);
                    request.then(() -> {
                        makeNameDurable(key);
                        outcome.complete(
                                made
                                        ? new CreateOutcome.Created(
                                                new FaultyAppender(store, process, thread, key, object, successor))
                                        : new CreateOutcome.AlreadyExists());
                    });
                },
                outcome -> {
                    if (store.chance().nextBoolean()) {
                        outcome.complete(new CreateOutcome.OutcomeUnknown(timedOut()));
                    } else {
                        outcome.completeExceptionally(timedOut());
                    }
                });
    }

    @Override
    public CompletableFuture<Long> seal(ObjectKey key) {
        FaultyRequest request = request(StoreOperation.SEAL, key);
        return request.run(
                end -> {
                    FaultyObject object = existing(key);
                    if (object.whole || object.sealed()) {
                        request.then(() -> {
                            object.sealIsDurable();
                            end.complete((long) object.readableEnd());
                        });
                        return;
                    }
                    int read = object.size();
                    object.pin(read);
                    request.then(() -> {
                        object.syncTo(read);
                        request.then(() -> {
                            object.seal(read);
                            request.then(() -> {
                                object.sealIsDurable();
                                end.complete((long) object.readableEnd());
                            });
                        });
                    });
                },
                FaultyHandle::failTimedOut);
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        if (position < 0) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.INVALID, "negative position " + position));
        }
        CompletableFuture<byte[]> bytes = request(StoreOperation.READ, key)
                .run(
                        found -> found.complete(existing(key).read(position, destination.remaining())),
                        FaultyHandle::failTimedOut);
        return Relay.to(bytes, Runnable::run, read -> {
            destination.put(read);
            return read.length;
        });
    }

    @Override
    public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
        if (limit <= 0) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.INVALID, "a listing has a positive limit, not " + limit));
        }
        return request(StoreOperation.LIST, ObjectKey.isValid(prefix) ? ObjectKey.of(prefix) : NO_KEY)
                .run(found -> found.complete(listNow(prefix, startAfter, limit)), FaultyHandle::failTimedOut);
    }

    @Override
    public CompletableFuture<Void> delete(ObjectKey key) {
        FaultyRequest request = request(StoreOperation.DELETE, key);
        return request.run(
                done -> {
                    store.unname(key);
                    request.then(() -> {
                        store.unnameDurably(key);
                        done.complete(null);
                    });
                },
                FaultyHandle::failTimedOut);
    }

    @Override
    public void close() {}

    static StoreException timedOut() {
        return new StoreException(StoreException.Kind.UNAVAILABLE, "injected: timed out", new BackEndException());
    }

    private static <T> void failTimedOut(CompletableFuture<T> answer) {
        answer.completeExceptionally(timedOut());
    }

    private List<ObjectStat> listNow(String prefix, String startAfter, int limit) {
        NavigableMap<String, FaultyObject> from = startAfter.compareTo(prefix) < 0
                ? store.objects().tailMap(prefix, true)
                : store.objects().tailMap(startAfter, false);
        List<ObjectStat> found = new ArrayList<>();
        for (var entry : from.entrySet()) {
            if (!entry.getKey().startsWith(prefix) || found.size() == limit) {
                break;
            }
            found.add(new ObjectStat(
                    ObjectKey.of(entry.getKey()), entry.getValue().readableEnd()));
        }
        return found;
    }

    private FaultyRequest request(StoreOperation operation, ObjectKey key) {
        return new FaultyRequest(
                store,
                process,
                thread,
                FaultyRequest.Place.AT_THE_STORE,
                store.draw(process, operation, key),
                store.blow(process, operation, key));
    }

    private FaultyObject existing(ObjectKey key) {
        FaultyObject object = store.find(key);
        if (object == null) {
            throw new StoreException(StoreException.Kind.NOT_FOUND, "no object '" + key + "'", new BackEndException());
        }
        return object;
    }

    private void makeNameDurable(ObjectKey key) {
        FaultyObject object = store.find(key);
        if (object != null) {
            object.nameIsDurable();
        }
    }
}
