package io.forebay.log.cache;

import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreCapabilities;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A store that lists what was read from it, and on demand holds reads back until they are let go. */
final class WatchedStore implements Store {

    record Read(ObjectKey key, long from, long to) {}

    final List<Read> reads = new ArrayList<>();
    private final Store store;
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean holding;

    WatchedStore(Store store) {
        this.store = store;
    }

    void holdReads() {
        holding = true;
    }

    void letGo() {
        holding = false;
        while (!held.isEmpty()) {
            held.remove().run();
        }
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        reads.add(new Read(key, position, position + destination.remaining()));
        if (!holding) {
            return store.read(key, position, destination);
        }
        CompletableFuture<Integer> later = new CompletableFuture<>();
        held.add(() -> later.complete(store.read(key, position, destination).join()));
        return later;
    }

    @Override
    public StoreCapabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
        return store.putIfAbsent(key, content);
    }

    @Override
    public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
        return store.beginUpload(key);
    }

    @Override
    public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
        return store.createAppender(key, successor);
    }

    @Override
    public CompletableFuture<Long> seal(ObjectKey key) {
        return store.seal(key);
    }

    @Override
    public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
        return store.list(prefix, startAfter, limit);
    }

    @Override
    public CompletableFuture<Void> delete(ObjectKey key) {
        return store.delete(key);
    }

    @Override
    public void close() {
        store.close();
    }
}
