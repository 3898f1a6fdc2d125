package io.forebay.log.cache;

import io.forebay.model.SharedFile;
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
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/** A store that lists what was read from it and how many reads there were at a time, and on demand holds reads back until they are let go. */
public final class WatchedStore implements Store {

    public record Read(ObjectKey key, long from, long to) {}

    public final List<Read> reads = new ArrayList<>();
    private final Store store;
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean holding;
    private int running;
    private int mostAtOnce;
    private long evictedFrom = Long.MAX_VALUE;

    public WatchedStore(Store store) {
        this.store = store;
    }

    /** The most reads that had no answer yet at the same time; without held ones. */
    public int mostAtOnce() {
        return mostAtOnce;
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

    /** What lies behind a position of a file has left the system's memory. */
    public void evictFrom(long position) {
        evictedFrom = position;
    }

    @Override
    public Optional<SharedFile> openFile(ObjectKey key) {
        return store.openFile(key).map(file -> {
            long end = evictedFrom;
            return new SharedFile(
                    file.name(),
                    file.channel(),
                    file.own()
                            ? Optional.of((from, length) -> from + length <= end && file.ownInMemory(from, length))
                            : Optional.empty(),
                    file::release);
        });
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        reads.add(new Read(key, position, position + destination.remaining()));
        if (!holding) {
            running++;
            mostAtOnce = Math.max(mostAtOnce, running);
            return store.read(key, position, destination).whenComplete((read, thrown) -> running--);
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
