package io.forebay.log.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which frames one file of a journal holds: from its index, or by a scan. One use for each file; steps run one after
 * the other on the executor.
 *
 * <p>Stores far away take longer to answer than to send: a small file is read with one request, of a larger one header and end are asked for at once,
 * and only an index that is longer than that needs a third.
 */
final class FileLoader {

    /** A sequential read of this size costs little more than its bytes on any store. */
    private static final int WINDOW_BYTES = 4 << 20;

    /** Many reads make one replay: it should not begin anew because one of them failed. */
    private static final int READ_TRIES = 5;

    /**
     * What a file holds.
     *
     * @param framesEnd position behind the last frame; 0: there is none
     * @param closed whether the file says itself which frames it holds: there will be no others
     */
    record Loaded(JournalIndex index, int framesEnd, List<JournalDamage> damages, boolean closed) {

        /** The same, as somebody else says that this is all. */
        Loaded complete() {
            return new Loaded(index, framesEnd, damages, true);
        }
    }

    private final Store store;
    private final Executor executor;
    private final JournalPath path;
    private final long number;
    private final ObjectKey key;
    private final int end;
    private final boolean stated;
    /** Whether an object that ends too early is one whose end is not seen yet. */
    private final boolean growing;

    private final ScanGate gate;
    /** The beginning of the file, if whoever loads it has it already. */
    private @Nullable ByteBuffer given;

    private KnownBytes known = KnownBytes.nothing();
    private ByteBuffer window = ByteBuffer.allocate(0);

    /**
     * A loader of a file of which no more will be readable than is now.
     *
     * @param gate bounds how many files are scanned at a time
     */
    static FileLoader fenced(Store store, Executor executor, ScanGate gate, JournalPath path, FencedJournal.File file) {
        return new FileLoader(store, executor, gate, path, file, false);
    }

    /** A loader of a file that may still grow. What is stated to have been acknowledged must be readable; else it fails with UNAVAILABLE. */
    static FileLoader growing(
            Store store, Executor executor, ScanGate gate, JournalPath path, FencedJournal.File file) {
        return new FileLoader(store, executor, gate, path, file, true);
    }

    /** Spares it to read the beginning of the file, which lies in the buffer from 0 to its limit. Before {@link #load}. */
    FileLoader given(ByteBuffer beginning) {
        given = beginning;
        return this;
    }

    private FileLoader(
            Store store, Executor executor, ScanGate gate, JournalPath path, FencedJournal.File file, boolean growing) {
        this.store = store;
        this.executor = executor;
        this.gate = gate;
        this.path = path;
        this.number = file.number();
        this.key = file.key();
        this.end = file.end();
        this.stated = file.stated();
        this.growing = growing;
    }

    CompletableFuture<Loaded> load() {
        if (end == 0) {
            return CompletableFuture.completedFuture(new Loaded(parse(new byte[0]), 0, List.of(), true));
        }
        return readAhead()
                .thenComposeAsync(nothing -> read(0, JournalHeader.BYTES), executor)
                .thenComposeAsync(this::loadBehind, executor)
                .whenComplete((loaded, thrown) -> known = KnownBytes.nothing());
    }

    private CompletableFuture<Void> readAhead() {
        int firstBytes = end <= KnownBytes.WHOLE_BYTES ? end : JournalHeader.BYTES;
        CompletableFuture<ByteBuffer> first;
        if (given == null) {
            first = read(0, firstBytes);
        } else {
            firstBytes = Math.min(end, given.limit());
            first = CompletableFuture.completedFuture(given.slice(0, firstBytes));
            given = null;
        }
        int tailAt = Math.max(firstBytes, end - KnownBytes.TAIL_BYTES);
        CompletableFuture<ByteBuffer> tail = read(tailAt, end - tailAt);
        return first.thenCombine(tail, (beginning, ending) -> {
            known = new KnownBytes(beginning, tailAt, ending);
            return null;
        });
    }

    private CompletableFuture<Loaded> loadBehind(ByteBuffer headerBytes) {
        Optional<JournalHeader> header = JournalHeader.decode(headerBytes, path, number);
        if (header.isEmpty() || end < JournalHeader.BYTES + JournalTrailer.BYTES) {
            return scan(header.isPresent(), end, stated);
        }
        return read(end - JournalTrailer.BYTES, JournalTrailer.BYTES)
                .thenComposeAsync(
                        bytes -> JournalTrailer.decode(bytes, JournalTrailer.JOURNAL, end)
                                .filter(trailer ->
                                        trailer.tie() == header.get().maker().high())
                                .map(this::loadIndex)
                                .orElseGet(() -> scan(true, end, stated)),
                        executor);
    }

    private CompletableFuture<Loaded> loadIndex(JournalTrailer trailer) {
        int framesEnd = (int) trailer.indexPosition();
        return read(framesEnd, trailer.indexLength())
                .thenComposeAsync(
                        bytes -> {
                            if (trailer.covers(bytes)) {
                                return CompletableFuture.completedFuture(
                                        new Loaded(parse(bytesOf(bytes)), framesEnd, List.of(), true));
                            }
                            JournalDamage damage = new JournalDamage(
                                    key, framesEnd, trailer.indexLength(), Optional.empty(), "the index is damaged");
                            return scan(true, framesEnd, true).thenApply(found -> with(damage, found));
                        },
                        executor);
    }

    private static Loaded with(JournalDamage damage, Loaded found) {
        List<JournalDamage> all = new java.util.ArrayList<>(found.damages());
        all.add(damage);
        return new Loaded(found.index(), found.framesEnd(), all, true);
    }

    private static byte[] bytesOf(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    private JournalIndex parse(byte[] index) {
        try {
            return JournalIndex.parse(number, index);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("an index of " + key + " passed its check but is none", e);
        }
    }

    private CompletableFuture<Loaded> scan(boolean headerValid, int scanEnd, boolean allProven) {
        return gate.pass(() -> scanNow(headerValid, scanEnd, allProven));
    }

    private CompletableFuture<Loaded> scanNow(boolean headerValid, int scanEnd, boolean allProven) {
        FileScan scan = new FileScan(path, number, scanEnd, allProven, headerValid);
        window = ByteBuffer.allocateDirect(Math.max(1, Math.min(WINDOW_BYTES, scanEnd - scan.position())))
                .limit(0);
        return step(scan, scanEnd, scan.position(), FrameCodec.HEADER_BYTES).thenApply(nothing -> {
            window = ByteBuffer.allocate(0);
            return scan.result((index, framesEnd, damages) -> new Loaded(parse(index), framesEnd, damages, false));
        });
    }

    /**
     * Fills the window, feeds it, and so on.
     *
     * @param loadedEnd position in the file behind the window's last byte
     * @param needed how many bytes the scan wants to see at once
     */
    private CompletableFuture<Void> step(FileScan scan, int scanEnd, int loadedEnd, int needed) {
        window.compact();
        if (window.capacity() < needed) {
            window = ByteBuffer.allocateDirect(needed).put(window.flip());
        }
        window.limit(Math.min(window.capacity(), window.position() + scanEnd - loadedEnd));
        return fill(loadedEnd)
                .thenComposeAsync(
                        filledEnd -> {
                            // Short of the end there is nothing more to read: an object that lost bytes.
                            boolean last = filledEnd >= scanEnd || window.hasRemaining();
                            window.flip();
                            int from = scan.position();
                            int wanted = scan.feed(window, last);
                            if (wanted == 0) {
                                return CompletableFuture.completedFuture(null);
                            }
                            window.position(window.position() + scan.position() - from);
                            return step(scan, scanEnd, filledEnd, wanted);
                        },
                        executor);
    }

    /** Reads until the window is full or the object ends; gives the position reached. */
    private CompletableFuture<Integer> fill(int from) {
        return readFully(from, window);
    }

    /** Up to {@code length} bytes, fewer at the object's end; a heap buffer from position 0. */
    private CompletableFuture<ByteBuffer> read(int position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.min(length, end - position));
        return readFully(position, bytes).thenApply(reached -> bytes.flip());
    }

    private CompletableFuture<Integer> readFully(int from, ByteBuffer into) {
        if (!into.hasRemaining()) {
            return CompletableFuture.completedFuture(from);
        }
        int copied = known.copy(from, into);
        if (copied > 0) {
            return readFully(from + copied, into);
        }
        return readOnce(from, into, 1).thenCompose(read -> read == 0 ? ended(from) : readFully(from + read, into));
    }

    private CompletableFuture<Integer> ended(int at) {
        return growing && stated && at < end
                ? CompletableFuture.failedFuture(new StoreException(
                        StoreException.Kind.UNAVAILABLE,
                        key + " ends at " + at + ", but " + end + " bytes of it were acknowledged"))
                : CompletableFuture.completedFuture(at);
    }

    private CompletableFuture<Integer> readOnce(int from, ByteBuffer into, int attempt) {
        int at = into.position();
        return store.read(key, from, into).exceptionallyCompose(failure -> {
            if (attempt == READ_TRIES || !StoreCalls.passes(failure)) {
                return CompletableFuture.failedFuture(Retry.unwrap(failure));
            }
            into.position(at);
            return readOnce(from, into, attempt + 1);
        });
    }
}
