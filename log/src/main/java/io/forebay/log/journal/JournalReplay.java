package io.forebay.log.journal;

import io.forebay.model.Retry;
import io.forebay.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntToLongFunction;

/**
 * Finds out which frames a fenced session holds: reads the index of closed files, scans the others. Stateless; any thread.
 */
public final class JournalReplay {

    /** Scanning more at once does not make it faster; an index may have many megabytes. */
    private static final int FILES_AT_ONCE = 4;

    /** Where each group is a file of its own they are many and small, and reading one is mostly waiting. */
    private static final int PUT_FILES_AT_ONCE = 32;

    private static final int FILE_TRIES = 5;

    private final Store store;
    private final Executor executor;
    private final DamageListener damage;
    private final ScanGate gate = new ScanGate(FILES_AT_ONCE);
    private final int filesAtOnce;
    private final boolean carried;

    /**
     * Makes a replay.
     *
     * @param executor parses and checks what was read; may be several threads
     * @param damage told on threads of the executor
     */
    public JournalReplay(Store store, Executor executor, DamageListener damage) {
        this.store = store;
        this.executor = executor;
        this.damage = damage;
        this.carried = !store.capabilities().append();
        this.filesAtOnce = store.capabilities().append() ? FILES_AT_ONCE : PUT_FILES_AT_ONCE;
    }

    /**
     * Loads the index of everything that counts.
     *
     * @param firstFile for each lane the lowest file that anybody still needs
     * @return completes on a thread of the executor; fails with a StoreException if the store cannot be read
     */
    public CompletableFuture<SessionIndex> load(FencedJournal journal, IntToLongFunction firstFile) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        Map<Integer, SessionIndex.LaneIndex> lanes = new TreeMap<>();
        for (FencedJournal.Lane lane : journal.lanes()) {
            JournalPath path = new JournalPath(journal.prefix(), journal.session(), lane.lane());
            long first = firstFile.applyAsLong(lane.lane());
            List<FencedJournal.File> files =
                    lane.files().stream().filter(f -> f.number() >= first).toList();
            running.add(loadLane(path, files).thenAccept(loaded -> put(lanes, lane, loaded)));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenApplyAsync(nothing -> new SessionIndex(journal.prefix(), journal.session(), lanes), executor);
    }

    private static void put(
            Map<Integer, SessionIndex.LaneIndex> lanes, FencedJournal.Lane lane, Collection<FileLoader.Loaded> loaded) {
        JournalPosition end = new JournalPosition(lane.tombstone(), 0);
        List<JournalIndex> indexes = new ArrayList<>();
        for (FileLoader.Loaded file : loaded) {
            indexes.add(file.index());
            if (file.framesEnd() > 0) {
                end = new JournalPosition(file.index().file(), file.framesEnd());
            }
        }
        synchronized (lanes) {
            lanes.put(lane.lane(), new SessionIndex.LaneIndex(end, indexes));
        }
    }

    /** Where files are put whole those that carry the indexes of others come first, and then what none of them carries. */
    private CompletableFuture<Collection<FileLoader.Loaded>> loadLane(
            JournalPath path, List<FencedJournal.File> files) {
        NavigableMap<Long, FencedJournal.File> missing = new TreeMap<>();
        files.forEach(file -> missing.put(file.number(), file));
        List<FencedJournal.File> carriers = carried
                ? files.stream()
                        .filter(file -> CarriedIndexes.carries(file.number()))
                        .toList()
                : List.of();
        NavigableMap<Long, FileLoader.Loaded> known = new TreeMap<>();
        return loadAll(path, carriers)
                .thenCompose(loaded -> {
                    for (FileLoader.Loaded carrier : loaded) {
                        missing.remove(carrier.index().file());
                        known.put(carrier.index().file(), carrier);
                        for (JournalIndex earlier : carrier.index().earlier()) {
                            FencedJournal.File file = missing.remove(earlier.file());
                            if (file != null) {
                                int framesEnd = file.end() - JournalTrailer.BYTES - earlier.sizeBytes();
                                known.put(file.number(), new FileLoader.Loaded(earlier, framesEnd, List.of(), true));
                            }
                        }
                    }
                    return loadAll(path, List.copyOf(missing.values()));
                })
                .thenApply(rest -> {
                    rest.forEach(file -> known.put(file.index().file(), file));
                    return known.values();
                });
    }

    /** One lost answer among those of many files must not begin everything anew. */
    private CompletableFuture<FileLoader.Loaded> load(JournalPath path, FencedJournal.File file, int number) {
        return FileLoader.fenced(store, executor, gate, path, file).load().exceptionallyCompose(thrown -> {
            return number < FILE_TRIES && StoreCalls.passes(thrown)
                    ? load(path, file, number + 1)
                    : CompletableFuture.<FileLoader.Loaded>failedFuture(Retry.unwrap(thrown));
        });
    }

    /** Loads all files, a few at a time, each as soon as another is done; gives them in order. */
    private CompletableFuture<List<FileLoader.Loaded>> loadAll(JournalPath path, List<FencedJournal.File> files) {
        AtomicInteger next = new AtomicInteger();
        AtomicReferenceArray<FileLoader.Loaded> loaded = new AtomicReferenceArray<>(files.size());
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < Math.min(files.size(), filesAtOnce); i++) {
            running.add(loadNext(path, files, next, loaded));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenApplyAsync(
                        nothing -> {
                            List<FileLoader.Loaded> inOrder = new ArrayList<>();
                            for (int i = 0; i < files.size(); i++) {
                                FileLoader.Loaded file = loaded.get(i);
                                file.damages().forEach(damage::damaged);
                                inOrder.add(file);
                            }
                            return inOrder;
                        },
                        executor);
    }

    private CompletableFuture<Void> loadNext(
            JournalPath path,
            List<FencedJournal.File> files,
            AtomicInteger next,
            AtomicReferenceArray<FileLoader.Loaded> loaded) {
        int index = next.getAndIncrement();
        if (index >= files.size()) {
            return CompletableFuture.completedFuture(null);
        }
        return load(path, files.get(index), 1)
                .whenComplete((file, thrown) -> {
                    if (thrown == null) {
                        loaded.set(index, file);
                    } else {
                        // It is all in vain: the others begin no more.
                        next.set(files.size());
                    }
                })
                .thenComposeAsync(file -> loadNext(path, files, next, loaded), executor);
    }
}
