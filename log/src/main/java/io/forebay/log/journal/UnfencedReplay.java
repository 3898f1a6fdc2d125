package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.When;
import io.forebay.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.LongStream;

/**
 * Finds out which frames a journal holds between two positions while its session goes on writing: shards that it has released are read from there by their
 * next owners. Seals nothing and takes no end from the store: what lies before the second position was acknowledged, as its owner has recorded,
 * and nothing behind it counts. Owned by the loop; {@link #load} may be called from any thread.
 *
 * <p>Many shards of one session are opened together, so what was read of a file is kept until {@link #forget}.
 */
public final class UnfencedReplay {

    /** Files that are read side by side for one range. */
    private static final int FILES_AT_ONCE = 8;

    /** The same where each group is a file of its own: they are many and small, and reading one is mostly waiting. */
    private static final int PUT_FILES_AT_ONCE = 32;

    private final Store store;
    private final Loop loop;
    private final Executor executor;
    private final DamageListener damage;
    private final Map<FileId, UnfencedFile> files = new HashMap<>();

    private final ScanGate gate = new ScanGate(FILES_AT_ONCE);
    private final int filesAtOnce;
    private final boolean carried;

    private record FileId(JournalPath path, long number) {}

    /**
     * Makes a replay.
     *
     * @param executor parses and checks what was read
     * @param damage told on the loop
     */
    public UnfencedReplay(Store store, Loop loop, Executor executor, DamageListener damage) {
        this.store = store;
        this.loop = loop;
        this.executor = executor;
        this.damage = damage;
        this.carried = !store.capabilities().append();
        this.filesAtOnce = store.capabilities().append() ? FILES_AT_ONCE : PUT_FILES_AT_ONCE;
    }

    /**
     * The frames of one lane from the file that {@code from} lies in up to {@code to}, and maybe others. Files that are gone are left out.
     *
     * @param to everything before it in its file was acknowledged, and there is a frame that was acknowledged in its file
     * @return completes on the loop; fails with a StoreException if the store cannot be read: then repeat it
     */
    public CompletableFuture<SessionIndex> load(JournalPath path, JournalPosition from, JournalPosition to) {
        CompletableFuture<SessionIndex> result = new CompletableFuture<>();
        loop.run(() -> When.done(load(new Loading(path, to), from.file()), (lane, failure) -> {
            if (failure == null) {
                result.complete(new SessionIndex(path.prefix(), path.session(), Map.of(path.lane(), lane)));
            } else {
                result.completeExceptionally(Retry.unwrap(failure));
            }
        }));
        return result;
    }

    /** Frees what was read. What is being read stays. On the loop. */
    public void forget() {
        files.clear();
    }

    private UnfencedFile newFile(FileId id) {
        return new UnfencedFile(
                store,
                loop,
                executor,
                gate,
                damage,
                id.path(),
                id.number(),
                later -> Optional.ofNullable(files.get(new FileId(id.path(), later))));
    }

    private static int upTo(long number, JournalPosition to) {
        return number < to.file() ? UnfencedFile.WHOLE : to.position();
    }

    /** One range while it is loaded, with what is known by number. */
    private record Loading(JournalPath path, JournalPosition to, NavigableMap<Long, JournalIndex> known) {
        Loading(JournalPath path, JournalPosition to) {
            this(path, to, new TreeMap<>());
        }

        void found(JournalIndex index) {
            known.put(index.file(), index);
            index.earlier().forEach(earlier -> known.put(earlier.file(), earlier));
        }
    }

    /** Where files are put whole those that carry the indexes of others come first, and then what none of them carries. */
    private CompletableFuture<SessionIndex.LaneIndex> load(Loading loading, long first) {
        long last = loading.to().file();
        List<Long> carriers = carried ? CarriedIndexes.between(first, last) : List.of();
        return loadAll(loading, carriers)
                .thenComposeAsync(
                        done -> loadAll(
                                loading,
                                LongStream.rangeClosed(first, last)
                                        .filter(number -> !loading.known().containsKey(number))
                                        .boxed()
                                        .toList()),
                        loop)
                .thenApplyAsync(
                        done -> new SessionIndex.LaneIndex(
                                loading.to(),
                                List.copyOf(loading.known().tailMap(first).values())),
                        loop);
    }

    /** Loads files, so many at a time. On the loop. */
    private CompletableFuture<Void> loadAll(Loading loading, List<Long> numbers) {
        int count = Math.min(numbers.size(), filesAtOnce);
        if (count == 0) {
            return CompletableFuture.completedFuture(null);
        }
        List<UnfencedFile> batch = new ArrayList<>();
        for (long number : numbers.subList(0, count)) {
            UnfencedFile file = files.computeIfAbsent(new FileId(loading.path(), number), this::newFile);
            file.want(upTo(number, loading.to()));
            batch.add(file);
        }
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (UnfencedFile file : batch) {
            running.add(file.index(upTo(file.number(), loading.to()))
                    .thenAcceptAsync(index -> index.ifPresent(loading::found), loop));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(done -> loadAll(loading, numbers.subList(count, numbers.size())), loop);
    }
}
