package io.forebay.log.journal;

import io.forebay.log.cache.PageCache;
import io.forebay.log.journal.JournalEndedException.Reason;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of one lane of one session: makes frames durable in the order in which they were appended, many with one flush. How they reach the store is the matter
 * of a {@link Lane}.
 *
 * <p>Owned by the journal loop, except what is marked "any thread". States:
 *
 * <ul>
 *   <li>NEW → RUNNING ({@link #start})
 *   <li>RUNNING → PUTTING_TOMBSTONE when closing and everything is durable, or ENDED
 *   <li>PUTTING_TOMBSTONE → ENDED
 *   <li>ENDED: every entry fails
 * </ul>
 *
 * <p>Kept true: an entry is reported durable only when it and everything before it is in the store; numbers of files are dense; after somebody else made the next number nothing
 * is reported durable.
 */
public final class Journal {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private enum State {
        NEW,
        RUNNING,
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
    private final int maxBodyBytes;
    private final int groupBytes;

    private final WaitingEntries waiting;
    /** Whether the journal loop is going to look at the queue: then nobody has to wake it. */
    private final AtomicBoolean awake = new AtomicBoolean();

    private final OnTheWay onTheWay = new OnTheWay();

    private final ClosedFiles closed = new ClosedFiles();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private volatile JournalPosition nextPosition = new JournalPosition(0, 0);
    private volatile long provenAtNanos;

    private final Lane lane;
    private State state = State.NEW;
    /** Being gathered. */
    private @Nullable EntryGroup gathered;

    private boolean waitsForMemory;
    /** What was on the way has come: gather, whatever else is announced meanwhile. */
    private boolean waited;

    private @Nullable CompletableFuture<Void> closing;
    private @Nullable JournalEndedException end;

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
        // What is in flight may have to be written again beside itself, while readers hold pages and the next group
        // waits.
        int quarter = (int) Math.min(Integer.MAX_VALUE, cache.config().tailBytes() / lanes / 4);
        this.groupBytes = Math.min(config.groupBytes(), quarter);
        this.maxBodyBytes =
                Math.min(FrameCodec.MAX_BODY_BYTES, quarter - FrameCodec.HEADER_BYTES - JournalHeader.BYTES);
        boolean appends = store.capabilities().append();
        this.waiting = new WaitingEntries(!appends);
        LanePorts ports = new LanePorts(path, maker, store, loop, clock, cache, config);
        long mostOnTheWay = Math.min(4L * groupBytes, 2L * quarter);
        this.lane = appends
                ? new AppendLane(ports, new LaneEvents())
                : new PutLane(ports, waiting, groupBytes, mostOnTheWay, new LaneEvents());
    }

    /**
     * Creates file 0. Completes on the journal loop; fails with {@link JournalEndedException} when the session is fenced or
     * the store fails. Entries may be appended before: they wait. Any thread, once.
     */
    public CompletableFuture<Void> start() {
        loop.execute(() -> {
            if (state == State.NEW) {
                state = State.RUNNING;
                lane.begin();
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
        waiting.put(entry);
        wake();
        if (waiting.reaches(groupBytes, bytes)) {
            loop.execute(this::work);
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

    /**
     * Of {@link #closedFiles}, those below this number may be deleted when nobody needs them. Of all others somebody who fences might believe that they never were. Any
     * thread.
     */
    public long deletableBelow() {
        return lane.deletableBelow();
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
        long since = clock.nanos();
        loop.run(() -> look(since, result));
        return result;
    }

    private void look(long since, CompletableFuture<Boolean> result) {
        OptionalLong next = lane.nextToBeMade();
        if (state == State.ENDED) {
            result.complete(false);
        } else if (provenAtNanos - since > 0) {
            result.complete(true);
        } else if (next.isEmpty()) {
            // Something is being made: the answer to that is a proof, or will allow a look.
            var unused = loop.schedule(() -> look(since, result), Math.max(1, config.retryMs()));
        } else {
            lookFor(next.getAsLong(), since, result);
        }
    }

    private void lookFor(long next, long since, CompletableFuture<Boolean> result) {
        long from = clock.nanos();
        var unused = store.read(path.file(next), 0, ByteBuffer.allocate(1))
                .whenComplete((read, failure) -> loop.execute(() -> {
                    Throwable cause = failure == null ? null : Retry.unwrap(failure);
                    if (cause instanceof StoreException s && s.kind() == StoreException.Kind.NOT_FOUND) {
                        proven(from);
                        result.complete(true);
                    } else if (cause != null) {
                        result.completeExceptionally(cause);
                    } else if (!lane.nextToBeMade().equals(OptionalLong.of(next))) {
                        look(since, result);
                    } else {
                        fenced(path.file(next) + " exists");
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
            if (lane.roll(number, result)) {
                work();
            } else if (end != null) {
                result.completeExceptionally(end);
            } else {
                result.complete(lane.endOf(number));
            }
        });
        return result;
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
        JournalFile next = state == State.RUNNING ? lane.next() : null;
        if (next == null) {
            return;
        }
        EntryGroup again = lane.toWriteAgain();
        if (!waited && closing == null && again == null && onTheWay.await()) {
            return;
        }
        waited = false;
        EntryGroup group = again != null ? writeAgain(next, again) : gather(next);
        if (group == null) {
            return;
        }
        if (!group.isEmpty()) {
            lane.write(group);
            gathered = null;
        } else if (lane.rest()) {
            sleep();
        }
    }

    /** Lets the next appender wake the loop, unless one came in between. */
    private void sleep() {
        awake.set(false);
        if (!waiting.isEmpty() && awake.compareAndSet(false, true)) {
            loop.execute(this::work);
        }
    }

    /**
     * Writes waiting entries into pages.
     *
     * @return empty if there is nothing to append; null if memory must come back first
     */
    private @Nullable EntryGroup gather(JournalFile current) {
        EntryGroup group = new EntryGroup();
        gathered = group;
        JournalEntry entry = waiting.take();
        while (entry != null && !lane.isFull(current)) {
            int frameBytes = FrameCodec.HEADER_BYTES + entry.body().remaining();
            if (!group.isEmpty() && group.bytes() + frameBytes > groupBytes) {
                break;
            }
            if (!current.reserve(frameBytes)) {
                waiting.giveBack(entry);
                if (group.isEmpty()) {
                    waitForMemory();
                    return null;
                }
                return group;
            }
            group.add(entry, frameBytes);
            current.write(entry, entry.body());
            entry.copied();
            waiting.takenUp(frameBytes);
            entry = waiting.take();
        }
        waiting.giveBack(entry);
        return group;
    }

    /** Writes a group of a failed file into this one. Null if memory must come back first. */
    private @Nullable EntryGroup writeAgain(JournalFile current, EntryGroup failed) {
        if (!current.reserve(failed.bytes())) {
            waitForMemory();
            return null;
        }
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

    /** What the lane tells. */
    private final class LaneEvents implements Lane.Events {

        @Override
        public void ready() {
            started.complete(null);
            awake.set(true);
            work();
        }

        @Override
        public void proven(long nanos) {
            Journal.this.proven(nanos);
        }

        @Override
        public void acknowledged(JournalPosition next) {
            nextPosition = next;
        }

        @Override
        public void closed(ClosedFile file) {
            closed.add(file);
        }

        @Override
        public void moved() {
            // Through the queue of the loop: timers and others get their turn between two groups.
            loop.execute(Journal.this::work);
        }

        @Override
        public void finished(long nextNumber) {
            state = State.PUTTING_TOMBSTONE;
            new OwnTombstone(path, maker, store, loop, config).put(nextNumber, clock.wallMs(), this::ended);
        }

        @Override
        public void ended(JournalEndedException cause) {
            Journal.this.ended(cause);
        }

        @Override
        public boolean isClosing() {
            return closing != null;
        }

        @Override
        public boolean isOver() {
            return state == State.ENDED;
        }
    }

    private void fenced(String why) {
        ended(new JournalEndedException(Reason.FENCED, "this session is fenced: " + why));
    }

    private void ended(JournalEndedException cause) {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        end = cause;
        if (cause.reason() != Reason.CLOSED) {
            LOG.warn("{} ended: {}", path.lanePrefix(), cause.getMessage());
            listener.ended(cause);
        }
        started.completeExceptionally(cause);
        failEverything();
        CompletableFuture<Void> closer = closing;
        if (closer != null && cause.reason() == Reason.CLOSED) {
            closer.complete(null);
        } else if (closer != null) {
            closer.completeExceptionally(cause);
        }
    }

    /** Fails what was in flight and what waits, in order. */
    private void failEverything() {
        JournalEndedException cause = end;
        if (cause == null) {
            return;
        }
        EntryGroup group = new EntryGroup();
        lane.end(cause, group);
        if (gathered != null) {
            gathered.letGo();
            group.addAll(gathered);
            gathered = null;
        }
        for (JournalEntry entry = waiting.take(); entry != null; entry = waiting.take()) {
            entry.copied();
            group.add(entry, 0);
        }
        group.tell(each -> each.failed(cause));
        sleep();
    }
}
