package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What is known here of one journal file whose session is not fenced. Owned by the loop; one load at a time, whoever waits meanwhile shares the next.
 *
 * <p>Its end is what the header of a later file states. As long as there is none the file counts up to the position that was asked for,
 * which whoever asks knows to be acknowledged; who asks for more has it read again.
 *
 * <p>Where files are put whole, each states its own length, and most are small: then one read of a file's beginning serves its header and its frames.
 */
final class UnfencedFile {

    /** Asked for by who knows that there are acknowledged frames in a later file. */
    static final int WHOLE = Integer.MAX_VALUE;

    /** A writer gives up long before it has made so many files of which none holds anything. */
    private static final int MOST_DEAD_FILES = 64;

    private final Store store;
    private final Loop loop;
    private final Executor executor;
    private final ScanGate gate;
    private final DamageListener damage;
    private final JournalPath path;
    private final long number;
    private final LongFunction<Optional<UnfencedFile>> others;
    private final boolean putWhole;
    private final List<Waiting> waiting = new ArrayList<>();
    /** Empty if the file was deleted. */
    private Optional<JournalIndex> index = Optional.empty();
    /** The index holds all frames that begin before this position; −1: nothing was loaded. */
    private int coveredTo = -1;

    private boolean loading;
    /** Somebody wants frames that are not known: then the beginning is worth more than a header. */
    private boolean wanted;

    private @Nullable CompletableFuture<ByteBuffer> beginning;
    private Optional<JournalHeader> header = Optional.empty();

    private record Waiting(int upTo, CompletableFuture<Optional<JournalIndex>> result) {}

    UnfencedFile(
            Store store,
            Loop loop,
            Executor executor,
            ScanGate gate,
            DamageListener damage,
            JournalPath path,
            long number,
            LongFunction<Optional<UnfencedFile>> others) {
        this.store = store;
        this.loop = loop;
        this.executor = executor;
        this.gate = gate;
        this.damage = damage;
        this.path = path;
        this.number = number;
        this.others = others;
        this.putWhole = !store.capabilities().append();
    }

    long number() {
        return number;
    }

    /** Says that {@link #index} will be asked for the same. */
    void want(int upTo) {
        wanted |= upTo > coveredTo;
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
        wanted = true;
        int upTo = waiting.stream().mapToInt(Waiting::upTo).max().orElse(0);
        var unused = load(upTo)
                .whenCompleteAsync(
                        (loaded, thrown) -> {
                            loading = false;
                            wanted = false;
                            beginning = null;
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
        CompletableFuture<Optional<FileLoader.Loaded>> loaded = putWhole
                ? beginning().thenComposeAsync(first -> loadPut(upTo, first), loop)
                : statedEnd(number + 1).thenCompose(stated -> load(upTo, Optional.empty(), stated));
        return loaded.exceptionallyCompose(thrown -> StoreCalls.isNotFound(thrown)
                ? CompletableFuture.completedFuture(Optional.empty())
                : CompletableFuture.failedFuture(thrown));
    }

    /** A file that was put whole states its length; one of an early build leaves that to the next one. */
    private CompletableFuture<Optional<FileLoader.Loaded>> loadPut(int upTo, ByteBuffer first) {
        Optional<Integer> length = header.flatMap(UnfencedFile::ownLength);
        CompletableFuture<Optional<Integer>> end =
                length.isPresent() ? CompletableFuture.completedFuture(length) : statedEnd(number + 1);
        return end.thenCompose(stated -> load(upTo, Optional.of(first), stated));
    }

    /** How much of a file that says so itself is to be read: nothing if it has no frames. */
    private static Optional<Integer> ownLength(JournalHeader header) {
        return switch (header.kind()) {
            case DATA -> Optional.empty();
            case TOMBSTONE -> Optional.of(0);
            case WHOLE -> Optional.of(header.length() > JournalHeader.BYTES ? header.length() : 0);
        };
    }

    private CompletableFuture<Optional<FileLoader.Loaded>> load(
            int upTo, Optional<ByteBuffer> given, Optional<Integer> stated) {
        boolean known = stated.isPresent() || upTo != WHOLE;
        FencedJournal.File file = new FencedJournal.File(number, path.file(number), stated.orElse(upTo), known);
        FileLoader loader = FileLoader.growing(store, executor, gate, path, file);
        return given.map(loader::given)
                .orElse(loader)
                .load()
                .thenApply(loaded -> Optional.of(stated.isPresent() ? loaded.complete() : loaded));
    }

    /** What later files, from one on, state about this one's end; 0 if it is dead. Empty if none does yet. On the loop. */
    private CompletableFuture<Optional<Integer>> statedEnd(long later) {
        if (later > number + MOST_DEAD_FILES) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        CompletableFuture<Optional<JournalHeader>> asked = others.apply(later)
                .filter(file -> putWhole)
                .map(UnfencedFile::header)
                .orElseGet(() -> read(later, JournalHeader.BYTES).thenApply(b -> JournalHeader.decode(b, path, later)));
        // A file without a header says nothing; one that came after it may.
        return asked.thenComposeAsync(
                        found -> found.isEmpty()
                                ? statedEnd(later + 1)
                                : CompletableFuture.completedFuture(found.get().endOf(number)),
                        loop)
                .exceptionallyCompose(thrown -> StoreCalls.isNotFound(thrown)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(thrown));
    }

    /** The header of a file that was put whole: it never changes. Empty if it has none. Completes on the loop. */
    private CompletableFuture<Optional<JournalHeader>> header() {
        return header.isPresent()
                ? CompletableFuture.completedFuture(header)
                : beginning().thenApplyAsync(bytes -> header, loop);
    }

    private CompletableFuture<ByteBuffer> beginning() {
        if (beginning != null) {
            return beginning;
        }
        CompletableFuture<ByteBuffer> asked = read(number, wanted ? KnownBytes.WHOLE_BYTES : JournalHeader.BYTES)
                .whenCompleteAsync(
                        (bytes, thrown) -> {
                            if (thrown == null) {
                                header = JournalHeader.decode(bytes, path, number);
                            }
                            if (thrown != null || !wanted) {
                                beginning = null;
                            }
                        },
                        loop);
        beginning = asked;
        return asked;
    }

    /** The first bytes of a file of this journal, from 0 to the buffer's limit; fewer if it is shorter. */
    private CompletableFuture<ByteBuffer> read(long file, int bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        return store.read(path.file(file), 0, buffer).thenApply(read -> buffer.flip());
    }
}
