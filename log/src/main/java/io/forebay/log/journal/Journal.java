package io.forebay.log.journal;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.JournalEndedException.Reason;
import io.forebay.model.ByteRun;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.store.Appender;
import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of one lane of one session: makes frames durable in the order in which they were appended, many with one flush.
 *
 * <p>Owned by the journal loop, except what is marked "any thread". One append is in flight at most. States:
 *
 * <ul>
 *   <li>NEW → OPENING ({@link #start})
 *   <li>OPENING (a next file is being made) → READY, or ENDED if none can be
 *   <li>READY (a file is open, nothing in flight) → APPENDING, CLOSING_FILE, or (closing, no file needs an index) PUTTING_TOMBSTONE
 *   <li>APPENDING (a group is in flight) → READY; after a failure OPENING, with the group to be written again; fenced: ENDED
 *   <li>CLOSING_FILE (index and trailer are in flight) → OPENING, or PUTTING_TOMBSTONE when closing; fenced: ENDED
 *   <li>PUTTING_TOMBSTONE → ENDED
 *   <li>ENDED: every entry fails
 * </ul>
 *
 * <p>Where the store cannot append, each group is a file of its own, put whole with its index ({@link PutFlight}): READY (the next number is
 * not there yet) → APPENDING (its put is in flight) → READY with the next number; CLOSING_FILE does not occur, and a put that gets no
 * certain answer is repeated, never rolled over.
 *
 * <p>Kept true: an entry is reported durable only after an append that held it and everything before it; a file whose append failed
 * is never touched again, its acknowledged end is stated by the next file's header; entries that were not acknowledged are written
 * again in order; numbers are dense; after somebody else made the next number nothing is reported durable.
 */
public final class Journal {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private enum State {
        NEW,
        OPENING,
        READY,
        APPENDING,
        CLOSING_FILE,
        PUTTING_TOMBSTONE,
        ENDED
    }

    private final JournalPath path;
    private final Maker maker;
    private final Store store;
    private final Loop loop;
    private final Clock clock;
    private final PageCache cache;
    private final JournalConfig config;
    private final JournalListener listener;
    private final FileOpener opener;
    private final FrameCodec codec = new FrameCodec();
    private final int maxBodyBytes;
    private final int groupBytes;

    private final EntryQueue queue = new EntryQueue();
    /** Whether the journal loop is going to look at the queue: then nobody has to wake it. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final OnTheWay onTheWay = new OnTheWay();

    private final ClosedFiles closed = new ClosedFiles();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private volatile JournalPosition nextPosition = new JournalPosition(0, 0);
    private volatile long provenAtNanos;

    private State state = State.NEW;
    private @Nullable JournalFile file;
    /** Taken from the queue, but there was no room for it yet. */
    private @Nullable JournalEntry head;
    /** Written to a file that failed, to be written again before anything else. */
    private @Nullable EntryGroup again;

    /** Being gathered or appended. */
    private @Nullable EntryGroup inFlight;

    private boolean waitsForMemory;
    /** What was on the way has come: gather, whatever else is announced meanwhile. */
    private boolean waited;

    private @Nullable CompletableFuture<Void> closing;
    private @Nullable JournalEndedException end;

    private long nextNumber;
    /** The last file that holds anything acknowledged, and where that ends; −1: none yet. */
    private long countedNumber = -1;

    private long countedEnd = JournalHeader.NO_PREVIOUS;
    /** Files that failed since the last append that succeeded. */
    private int failuresInARow;

    /** Whether files are put whole. */
    private final boolean puts;
    /** Bytes of frames that were appended and not taken up yet; counted only where files are put whole. */
    private final AtomicLong waitingBytes = new AtomicLong();

    /** Who waits for the present file to take no more frames. */
    private final RollRequests rolls = new RollRequests();

    private boolean lingering;
    private boolean hasPut;
    private long putAtNanos;

    /**
     * Makes a journal that does nothing before {@link #start}.
     *
     * @param loop the journal loop: appends block it if the store does its work on the calling thread
     * @param maker the incarnation id of this process
     * @param lanes number of journals that share the cache's tail
     */
    public Journal(
            JournalPath path,
            Maker maker,
            Store store,
            Loop loop,
            Clock clock,
            PageCache cache,
            JournalConfig config,
            int lanes,
            JournalListener listener) {
        this.path = path;
        this.maker = maker;
        this.store = store;
        this.loop = loop;
        this.clock = clock;
        this.cache = cache;
        this.config = config;
        this.listener = listener;
        this.puts = !store.capabilities().append();
        this.opener = new FileOpener(path, maker, store, loop, config, this::headerOf);
        // What is in flight may have to be written again beside itself, while readers hold pages and the next group
        // waits.
        int quarter = (int) Math.min(Integer.MAX_VALUE, cache.config().tailBytes() / lanes / 4);
        this.groupBytes = Math.min(config.groupBytes(), quarter);
        this.maxBodyBytes =
                Math.min(FrameCodec.MAX_BODY_BYTES, quarter - FrameCodec.HEADER_BYTES - JournalHeader.BYTES);
    }

    /**
     * Creates file 0. Completes on the journal loop; fails with {@link JournalEndedException} when the session is fenced or
     * the store fails. Entries may be appended before: they wait. Any thread, once.
     */
    public CompletableFuture<Void> start() {
        loop.execute(() -> {
            if (state == State.NEW) {
                openNext();
            }
        });
        return started;
    }

    /**
     * Hands the entry to the journal, which owns it until it calls {@link JournalEntry#durable} or {@link
     * JournalEntry#failed}. Any thread; never blocks. What waits here is bounded by whoever admits produce requests.
     *
     * @throws IllegalArgumentException if the body is larger than {@link #maxBodyBytes}
     */
    public void append(JournalEntry entry) {
        int bodyBytes = entry.body().remaining();
        if (bodyBytes > maxBodyBytes) {
            throw new IllegalArgumentException("a frame's body has at most " + maxBodyBytes + " bytes: " + bodyBytes);
        }
        FrameCodec.checkBody(entry.kind(), bodyBytes);
        long bytes = FrameCodec.HEADER_BYTES + (long) bodyBytes;
        queue.put(entry);
        wake();
        if (puts) {
            long before = waitingBytes.getAndAdd(bytes);
            if (before < groupBytes && before + bytes >= groupBytes) {
                loop.execute(this::work);
            }
        }
    }

    private void wake() {
        if (!awake.get() && awake.compareAndSet(false, true)) {
            loop.execute(this::work);
        }
    }

    /**
     * Says that an {@link #append} is about to come from another thread, so that it goes with what is flushed next. {@link #arrived} must follow, whether or not
     * anything was appended. Any thread.
     */
    public void announce() {
        onTheWay.announce();
    }

    /** Ends one announcement. Any thread. */
    public void arrived() {
        if (onTheWay.arrive()) {
            loop.execute(() -> {
                waited = true;
                work();
            });
        }
    }

    /** The largest body a frame can have here. Any thread. */
    public int maxBodyBytes() {
        return maxBodyBytes;
    }

    /** No entry that is appended after this call will lie before this position. Any thread. */
    public JournalPosition nextPosition() {
        return nextPosition;
    }

    public JournalPath path() {
        return path;
    }

    /** Files of this journal that take no more frames and were not deleted, in order. Any thread. */
    public List<ClosedFile> closedFiles() {
        return closed.all();
    }

    /** Takes note that all files up to this number, itself included, were deleted. Any thread. */
    public void deleted(long number) {
        closed.deletedUpTo(number);
    }

    /**
     * When the last proof began that this session was not fenced (a successful append, or {@link #prove}), on the clock's
     * monotonic time. Any thread.
     */
    public long provenAtNanos() {
        return provenAtNanos;
    }

    /**
     * Looks whether this session is still not fenced, without writing. True: it was not at some time after the call. Fails with a
     * StoreException if the store does not answer. Any thread; completes on the journal loop.
     */
    public CompletableFuture<Boolean> prove() {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        loop.run(() -> look(result));
        return result;
    }

    private void look(CompletableFuture<Boolean> result) {
        JournalFile looked = file;
        if (state == State.ENDED) {
            result.complete(false);
            return;
        }
        if (looked == null || (puts && state == State.APPENDING)) {
            // A file is being made: the answer to that is the proof.
            var unused = loop.schedule(() -> look(result), Math.max(1, config.retryMs()));
            return;
        }
        long from = clock.nanos();
        ObjectKey next = path.file(puts ? looked.number() : looked.number() + 1);
        var unused = store.read(next, 0, ByteBuffer.allocate(1))
                .whenComplete((read, failure) -> loop.execute(() -> {
                    Throwable cause = failure == null ? null : Retry.unwrap(failure);
                    if (cause instanceof StoreException s && s.kind() == StoreException.Kind.NOT_FOUND) {
                        proven(from);
                        result.complete(true);
                    } else if (cause != null) {
                        result.completeExceptionally(cause);
                    } else if (file != looked || (puts && state == State.APPENDING)) {
                        look(result);
                    } else {
                        fenced(next + " exists");
                        result.complete(false);
                    }
                }));
    }

    /**
     * Closes a file that holds something acknowledged, so that others read its index instead of its frames, and goes on in the next one. Requests that
     * come together share one roll; where files are put whole there is nothing to do.
     *
     * @return completes on the journal loop when the file takes no more frames, with its end if it is the newest one that holds anything, else
     *     with empty: then a later file says where it ends. Fails if the journal has ended. Any thread
     */
    public CompletableFuture<Optional<JournalPosition>> roll(long number) {
        CompletableFuture<Optional<JournalPosition>> result = new CompletableFuture<>();
        loop.execute(() -> {
            JournalFile current = file;
            if (current != null && current.number() == number && !puts) {
                rolls.add(number, result);
                work();
            } else if (end != null) {
                result.completeExceptionally(end);
            } else {
                result.complete(endOf(number));
            }
        });
        return result;
    }

    private Optional<JournalPosition> endOf(long number) {
        return number == countedNumber
                ? Optional.of(new JournalPosition(number, Math.toIntExact(countedEnd)))
                : Optional.empty();
    }

    private void proven(long fromNanos) {
        if (fromNanos - provenAtNanos > 0 || provenAtNanos == 0) {
            provenAtNanos = fromNanos;
        }
    }

    /**
     * Ends the journal in good order: everything appended before is made durable, the last file gets its index, and this
     * session's own tombstone is put. Entries appended later fail with CLOSED, or are made durable if they come just in time.
     * Completes on the journal loop; fails with {@link JournalEndedException} if the journal ended otherwise. Any thread.
     */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> result = new CompletableFuture<>();
        loop.execute(() -> {
            if (state == State.ENDED || closing != null) {
                JournalEndedException ended = end;
                if (ended == null || ended.reason() == Reason.CLOSED) {
                    result.complete(null);
                } else {
                    result.completeExceptionally(ended);
                }
                return;
            }
            closing = result;
            awake.set(true);
            work();
        });
        return result;
    }

    /** Does the next thing that can be done. Runs as long as the loop is awake; each turn writes one group at most. */
    private void work() {
        try {
            workOnce();
        } catch (RuntimeException | Error e) {
            // Nobody knows what is half done: the next owner finds out from the store.
            LOG.error("{}: the journal loop failed", path.lanePrefix(), e);
            ended(new JournalEndedException(Reason.STORE_FAILED, "the journal loop failed: " + e));
        }
    }

    private void workOnce() {
        if (state == State.NEW) {
            // Whoever starts the journal comes back here.
            if (closing != null) {
                ended(new JournalEndedException(Reason.CLOSED, "closed before it was started"));
            }
            return;
        }
        if (state == State.ENDED) {
            failEverything();
            return;
        }
        JournalFile current = file;
        if (state != State.READY || current == null) {
            return;
        }
        if (puts && linger()) {
            return;
        }
        if (!waited && closing == null && again == null && onTheWay.await()) {
            return;
        }
        waited = false;
        EntryGroup group = again != null ? writeAgain(current, again) : gather(current);
        if (group == null) {
            return;
        }
        if (!group.isEmpty() && puts) {
            put(current, group);
        } else if (!group.isEmpty()) {
            append(current, group);
        } else if (puts && closing != null) {
            current.endFrames();
            putTombstone(current.number());
        } else if (full(current) || (closing != null && current.acknowledgedEnd() > 0)) {
            closeFile(current);
        } else if (closing != null) {
            current.endFrames();
            var unused = current.appender().close();
            putTombstone(current.number() + 1);
        } else {
            sleep();
        }
    }

    /** Whether what waits is to wait a little longer, so that fewer puts are paid for. Comes back by itself when the time is over. */
    private boolean linger() {
        if (head == null) {
            head = queue.take();
        }
        long passedMs = (clock.nanos() - putAtNanos) / 1_000_000;
        boolean due = head == null || !hasPut || passedMs >= config.lingerMs() || waitingBytes.get() >= groupBytes;
        if (due || closing != null) {
            return false;
        }
        if (!lingering) {
            lingering = true;
            var unused = loop.schedule(
                    () -> {
                        lingering = false;
                        work();
                    },
                    config.lingerMs() - passedMs);
        }
        return true;
    }

    /** Lets the next appender wake the loop, unless one came in between. */
    private void sleep() {
        awake.set(false);
        JournalEntry early = queue.take();
        if (early != null) {
            head = early;
            if (awake.compareAndSet(false, true)) {
                loop.execute(this::work);
            }
        }
    }

    private boolean full(JournalFile current) {
        return current.position() >= config.fileBytes()
                || current.frameCount() >= config.fileFrames()
                || rolls.want(current);
    }

    /**
     * Writes waiting entries into pages.
     *
     * @return empty if there is nothing to append; null if memory must come back first
     */
    private @Nullable EntryGroup gather(JournalFile current) {
        EntryGroup group = new EntryGroup();
        inFlight = group;
        JournalEntry entry = head != null ? head : queue.take();
        while (entry != null && !full(current)) {
            int frameBytes = FrameCodec.HEADER_BYTES + entry.body().remaining();
            if (!group.isEmpty() && group.bytes() + frameBytes > groupBytes) {
                break;
            }
            if (!current.reserve(frameBytes)) {
                head = entry;
                if (group.isEmpty()) {
                    waitForMemory();
                    return null;
                }
                return group;
            }
            group.add(entry, frameBytes);
            current.write(entry, entry.body());
            entry.copied();
            if (puts) {
                long unused = waitingBytes.addAndGet(-frameBytes);
            }
            entry = queue.take();
        }
        head = entry;
        return group;
    }

    /** Writes a group of a failed file into this one. Null if memory must come back first. */
    private @Nullable EntryGroup writeAgain(JournalFile current, EntryGroup failed) {
        if (!current.reserve(failed.bytes())) {
            waitForMemory();
            return null;
        }
        again = null;
        inFlight = failed;
        for (JournalEntry entry = failed.first(); entry != null; entry = entry.next) {
            current.write(entry, failed.bodyOf(entry));
        }
        failed.letGo();
        return failed;
    }

    private void waitForMemory() {
        if (waitsForMemory) {
            return;
        }
        waitsForMemory = true;
        cache.whenTailPageFree(() -> loop.execute(this::memoryIsBack));
        // A page may have come back before anybody was told to watch for it.
        var unused = loop.schedule(this::memoryIsBack, Math.max(1, config.retryMs()));
    }

    private void memoryIsBack() {
        if (waitsForMemory) {
            waitsForMemory = false;
            work();
        }
    }

    private void append(JournalFile current, EntryGroup group) {
        int from = current.acknowledgedEnd();
        ByteRun written = current.takeWritten();
        group.keep(written, from);
        state = State.APPENDING;
        inFlight = group;
        send(current, written.share(), copiesOf(written), current.position(), new AppendFlight.Outcome() {
            @Override
            public void durable() {
                inFlight = null;
                current.acknowledge();
                countedNumber = current.number();
                countedEnd = current.acknowledgedEnd();
                failuresInARow = 0;
                nextPosition = new JournalPosition(current.number(), current.acknowledgedEnd());
                group.letGo();
                group.tell(entry -> entry.durable(entry.file, entry.bodyPosition));
                state = State.READY;
                // Through the queue of the loop: timers and others get their turn between two groups.
                loop.execute(Journal.this::work);
            }

            @Override
            public void failed(String why) {
                LOG.warn("{} failed at {}: {}; going on in a new file", current.key(), from, why);
                inFlight = null;
                again = group;
                failuresInARow++;
                fileEnded(current, current.acknowledgedEnd());
                openNext();
            }

            @Override
            public void fenced() {
                Journal.this.fenced(current.key() + " has a successor made by somebody else");
            }
        });
    }

    /** Puts the group as a file of its own. */
    private void put(JournalFile current, EntryGroup group) {
        inFlight = group;
        state = State.APPENDING;
        hasPut = true;
        putAtNanos = clock.nanos();
        ByteBuffer whole = current.whole(maker);
        int wholeEnd = whole.remaining();
        put(current.number(), whole, () -> {
            inFlight = null;
            current.acknowledge();
            int framesEnd = current.acknowledgedEnd();
            countedNumber = current.number();
            countedEnd = wholeEnd;
            nextPosition = new JournalPosition(current.number(), framesEnd);
            group.tell(entry -> entry.durable(entry.file, entry.bodyPosition));
            fileEnded(current, framesEnd);
            beginFile();
            loop.execute(this::work);
        });
    }

    /** Puts a whole file; what else may come of it ends the session. */
    private void put(long number, ByteBuffer whole, Runnable durable) {
        ObjectKey key = path.file(number);
        long from = clock.nanos();
        new PutFlight(key, whole, store, loop, config, () -> state == State.ENDED, new PutFlight.Outcome() {
                    @Override
                    public void durable() {
                        proven(from);
                        nextNumber = number + 1;
                        durable.run();
                    }

                    @Override
                    public void fenced() {
                        Journal.this.fenced(key + " was made by somebody else");
                    }

                    @Override
                    public void failed(String why) {
                        ended(new JournalEndedException(Reason.STORE_FAILED, key + " could not be put: " + why));
                    }
                })
                .start();
    }

    /** Where files are put whole: the next one, of which nothing is in the store before it has frames. */
    private void beginFile() {
        file = new JournalFile(path, headerOf(nextNumber), null, cache, codec);
        state = State.READY;
    }

    /** File 0 has no frames: it says that this session has begun, and takes the place of a late tombstone for it. */
    private void putFirst() {
        put(0, headerOf(0).encode(), () -> {
            closed.add(new ClosedFile(0, path.file(0), 0, List.of()));
            beginFile();
            started.complete(null);
            awake.set(true);
            work();
        });
    }

    /** Appends and hears of the outcome, unless the journal ended meanwhile. */
    private void send(
            JournalFile current,
            ByteRun memory,
            List<ByteBuffer> buffers,
            long expectedEnd,
            AppendFlight.Outcome outcome) {
        new AppendFlight(current.appender(), memory, expectedEnd, outcome, () -> state == State.ENDED)
                .start(buffers, loop, clock, config.appendTimeoutMs(), this::proven);
    }

    /** The appender moves positions of what it is given; the run keeps its own. */
    private static List<ByteBuffer> copiesOf(ByteRun run) {
        List<ByteBuffer> copies = new ArrayList<>(run.parts().size());
        for (ByteBuffer part : run.parts()) {
            copies.add(part.duplicate());
        }
        return copies;
    }

    private void closeFile(JournalFile current) {
        state = State.CLOSING_FILE;
        int framesEnd = current.acknowledgedEnd();
        ByteBuffer index = ByteBuffer.wrap(current.encodeIndex());
        ByteBuffer trailer = JournalTrailer.of(framesEnd, index, maker).encode(JournalTrailer.JOURNAL);
        int wholeEnd = framesEnd + index.remaining() + trailer.remaining();
        send(current, ByteRun.EMPTY, List.of(index, trailer), wholeEnd, new AppendFlight.Outcome() {
            @Override
            public void durable() {
                countedEnd = wholeEnd;
                nextPosition = new JournalPosition(current.number(), wholeEnd);
                var unused = current.appender().close();
                next();
            }

            @Override
            public void failed(String why) {
                LOG.warn("{} was left without its index: {}", current.key(), why);
                next();
            }

            private void next() {
                fileEnded(current, framesEnd);
                if (closing == null) {
                    openNext();
                } else {
                    putTombstone(current.number() + 1);
                }
            }

            @Override
            public void fenced() {
                Journal.this.fenced(current.key() + " has a successor made by somebody else");
            }
        });
    }

    /** The file gets no more frames: it becomes one of the closed ones. */
    private void fileEnded(JournalFile ended, int framesEnd) {
        closed.add(new ClosedFile(ended.number(), ended.key(), framesEnd, framesEnd > 0 ? ended.shards() : List.of()));
        ended.endFrames();
        file = null;
        rolls.rolled(ended.number(), endOf(ended.number()));
    }

    private void openNext() {
        state = State.OPENING;
        if (failuresInARow > 1) {
            var unused = loop.schedule(this::openNow, config.retryMs() * (failuresInARow - 1));
        } else {
            openNow();
        }
    }

    private void openNow() {
        if (puts) {
            putFirst();
            return;
        }
        long first = nextNumber;
        long from = clock.nanos();
        opener.open(first, Math.max(0, config.createTries() - failuresInARow), new FileOpener.Result() {
            @Override
            public void opened(JournalHeader header, Appender appender) {
                for (long burnt = first; burnt < header.number(); burnt++) {
                    closed.add(new ClosedFile(burnt, path.file(burnt), 0, List.of()));
                }
                if (state == State.ENDED) {
                    var unused = appender.close();
                    return;
                }
                proven(from);
                nextNumber = header.number() + 1;
                file = new JournalFile(path, header, appender, cache, codec);
                state = State.READY;
                started.complete(null);
                awake.set(true);
                work();
            }

            @Override
            public void ended(JournalEndedException cause) {
                Journal.this.ended(cause);
            }
        });
    }

    private JournalHeader headerOf(long number) {
        int skipped = Math.toIntExact(number - 1 - countedNumber);
        return new JournalHeader(
                JournalHeader.Kind.DATA,
                path.lane(),
                path.session(),
                number,
                countedEnd,
                skipped,
                maker,
                clock.wallMs());
    }

    private void putTombstone(long number) {
        state = State.PUTTING_TOMBSTONE;
        file = null;
        new OwnTombstone(path, maker, store, loop, config).put(number, clock.wallMs(), this::ended);
    }

    private void fenced(String why) {
        ended(new JournalEndedException(Reason.FENCED, "this session is fenced: " + why));
    }

    private void ended(JournalEndedException cause) {
        if (state == State.ENDED) {
            return;
        }
        boolean nothingInFlight = state == State.READY;
        state = State.ENDED;
        end = cause;
        JournalFile current = file;
        if (current != null) {
            current.endFrames();
            if (nothingInFlight && !puts) {
                var unused = current.appender().close();
            }
            file = null;
        }
        if (cause.reason() != Reason.CLOSED) {
            LOG.warn("{} ended: {}", path.lanePrefix(), cause.getMessage());
            listener.ended(cause);
        }
        started.completeExceptionally(cause);
        rolls.fail(cause);
        failEverything();
        CompletableFuture<Void> waiting = closing;
        if (waiting != null && cause.reason() == Reason.CLOSED) {
            waiting.complete(null);
        } else if (waiting != null) {
            waiting.completeExceptionally(cause);
        }
    }

    /** Fails what was in flight and what waits, in order. */
    private void failEverything() {
        JournalEndedException cause = end;
        if (cause == null) {
            return;
        }
        EntryGroup unanswered = inFlight != null ? inFlight : again;
        EntryGroup group = unanswered == null ? new EntryGroup() : unanswered;
        inFlight = null;
        again = null;
        group.letGo();
        JournalEntry entry = head != null ? head : queue.take();
        head = null;
        while (entry != null) {
            entry.copied();
            group.add(entry, 0);
            entry = queue.take();
        }
        group.tell(each -> each.failed(cause));
        sleep();
    }
}
