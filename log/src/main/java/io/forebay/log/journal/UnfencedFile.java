package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What is known here of one journal file whose session is not fenced. Owned by the loop; one load at a time, whoever waits meanwhile shares the next.
 *
 * <p>Its end is what the header of a later file states. As long as there is none the file counts up to the position that was asked for,
 * which whoever asks knows to be acknowledged; who asks for more has it read again.
 */
final class UnfencedFile {

    /** Asked for by who knows that there are acknowledged frames in a later file. */
    static final int WHOLE = Integer.MAX_VALUE;

    /** A writer gives up long before it has made so many files of which none holds anything. */
    private static final int MOST_DEAD_FILES = 64;

    private final Store store;
    private final Loop loop;
    private final Executor executor;
    private final DamageListener damage;
    private final JournalPath path;
    private final long number;
    private final List<Waiting> waiting = new ArrayList<>();
    /** Empty if the file was deleted. */
    private Optional<JournalIndex> index = Optional.empty();
    /** The index holds all frames that begin before this position; −1: nothing was loaded. */
    private int coveredTo = -1;

    private boolean loading;

    private record Waiting(int upTo, CompletableFuture<Optional<JournalIndex>> result) {}

    UnfencedFile(Store store, Loop loop, Executor executor, DamageListener damage, JournalPath path, long number) {
        this.store = store;
        this.loop = loop;
        this.executor = executor;
        this.damage = damage;
        this.path = path;
        this.number = number;
    }

    /** All frames before a position, and maybe some behind it. Empty if the file was deleted. Completes on the loop. */
    CompletableFuture<Optional<JournalIndex>> index(int upTo) {
        if (upTo <= coveredTo) {
            return CompletableFuture.completedFuture(index);
        }
        CompletableFuture<Optional<JournalIndex>> result = new CompletableFuture<>();
        waiting.add(new Waiting(upTo, result));
        if (!loading) {
            loadNext();
        }
        return result;
    }

    private void loadNext() {
        loading = true;
        int upTo = waiting.stream().mapToInt(Waiting::upTo).max().orElse(0);
        var unused = load(upTo)
                .whenCompleteAsync(
                        (loaded, thrown) -> {
                            loading = false;
                            if (thrown == null) {
                                loaded.ifPresent(file -> file.damages().forEach(damage::damaged));
                                index = loaded.map(FileLoader.Loaded::index);
                                coveredTo = loaded.isEmpty() || loaded.get().closed() ? WHOLE : upTo;
                            }
                            answer(upTo, thrown);
                            if (!waiting.isEmpty()) {
                                loadNext();
                            }
                        },
                        loop);
    }

    private void answer(int tried, @Nullable Throwable thrown) {
        List<Waiting> asked = List.copyOf(waiting);
        waiting.clear();
        for (Waiting one : asked) {
            if (one.upTo() <= coveredTo) {
                one.result().complete(index);
            } else if (thrown != null && one.upTo() <= tried) {
                one.result().completeExceptionally(thrown);
            } else {
                waiting.add(one);
            }
        }
    }

    private CompletableFuture<Optional<FileLoader.Loaded>> load(int upTo) {
        return statedEnd(number + 1)
                .thenCompose(stated -> {
                    boolean known = stated.isPresent() || upTo != WHOLE;
                    int end = stated.orElse(upTo);
                    FencedJournal.File file = new FencedJournal.File(number, path.file(number), end, known);
                    return FileLoader.growing(store, executor, path, file)
                            .load()
                            .thenApply(loaded -> Optional.of(stated.isPresent() ? loaded.complete() : loaded));
                })
                .exceptionallyCompose(thrown -> StoreCalls.isNotFound(thrown)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(thrown));
    }

    /** What later files, from one on, state about this one's end; 0 if it is dead. Empty if none does yet. */
    private CompletableFuture<Optional<Integer>> statedEnd(long later) {
        if (later > number + MOST_DEAD_FILES) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        ByteBuffer bytes = ByteBuffer.allocate(JournalHeader.BYTES);
        return store.read(path.file(later), 0, bytes)
                .thenCompose(read -> {
                    // A file without a header says nothing; one that came after it may.
                    Optional<JournalHeader> header = JournalHeader.decode(bytes.flip(), path, later);
                    return header.isEmpty()
                            ? statedEnd(later + 1)
                            : CompletableFuture.completedFuture(header.get().endOf(number));
                })
                .exceptionallyCompose(thrown -> StoreCalls.isNotFound(thrown)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(thrown));
    }
}
