package io.forebay.log.journal;

import io.forebay.model.Retry;
import io.forebay.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntToLongFunction;

/**
 * Finds out which frames a fenced session holds: reads the index of closed files, scans the others. Stateless; any thread.
 */
public final class JournalReplay {

    /** Each scan needs a window of memory; more of them at once do not read faster. */
    private static final int FILES_AT_ONCE = 4;

    private static final int FILE_TRIES = 5;

    private final Store store;
    private final Executor executor;
    private final DamageListener damage;

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
            running.add(loadFrom(path, files, 0, new ArrayList<>()).thenAccept(loaded -> put(lanes, lane, loaded)));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenApplyAsync(nothing -> new SessionIndex(journal.prefix(), journal.session(), lanes), executor);
    }

    private static void put(
            Map<Integer, SessionIndex.LaneIndex> lanes, FencedJournal.Lane lane, List<FileLoader.Loaded> loaded) {
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

    /** One lost answer among those of many files must not begin everything anew. */
    private CompletableFuture<FileLoader.Loaded> load(JournalPath path, FencedJournal.File file, int number) {
        return FileLoader.fenced(store, executor, path, file).load().exceptionallyCompose(thrown -> {
            return number < FILE_TRIES && StoreCalls.passes(thrown)
                    ? load(path, file, number + 1)
                    : CompletableFuture.<FileLoader.Loaded>failedFuture(Retry.unwrap(thrown));
        });
    }

    /** Loads the files from {@code next} on, a few at a time, and adds them in order. */
    private CompletableFuture<List<FileLoader.Loaded>> loadFrom(
            JournalPath path, List<FencedJournal.File> files, int next, List<FileLoader.Loaded> loaded) {
        if (next == files.size()) {
            return CompletableFuture.completedFuture(loaded);
        }
        List<CompletableFuture<FileLoader.Loaded>> running = new ArrayList<>();
        int until = Math.min(files.size(), next + FILES_AT_ONCE);
        for (FencedJournal.File file : files.subList(next, until)) {
            running.add(load(path, file, 1));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(
                        nothing -> {
                            for (CompletableFuture<FileLoader.Loaded> one : running) {
                                FileLoader.Loaded file = one.join();
                                file.damages().forEach(damage::damaged);
                                loaded.add(file);
                            }
                            return loadFrom(path, files, until, loaded);
                        },
                        executor);
    }
}
