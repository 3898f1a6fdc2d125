package io.forebay.log.journal;

import io.forebay.log.journal.JournalEndedException.Reason;
import io.forebay.model.ByteRun;
import io.forebay.model.Loop;
import io.forebay.store.Appender;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a journal on a store that can append: one is open at a time, with one append in flight at most. Owned by the journal loop. States:
 *
 * <ul>
 *   <li>OPENING (a next file is being made) → READY; the session ends if none can be
 *   <li>READY (a file is open, nothing in flight) → APPENDING, CLOSING_FILE, or CLOSED (closing, and the file needs no index)
 *   <li>APPENDING (a group is in flight) → READY; after a failure OPENING, with the group to be written again
 *   <li>CLOSING_FILE (index and trailer are in flight) → OPENING, or CLOSED when closing
 * </ul>
 *
 * <p>Kept true: a file whose append failed is never touched again, its acknowledged end is stated by the next file's header; entries that were not acknowledged are
 * written again in order; numbers are dense.
 */
final class AppendLane implements Lane {

    private static final Logger LOG = LoggerFactory.getLogger(AppendLane.class);

    private enum State {
        OPENING,
        READY,
        APPENDING,
        CLOSING_FILE,
        CLOSED
    }

    private final LanePorts ports;
    private final JournalPath path;
    private final Maker maker;
    private final Loop loop;
    private final JournalConfig config;
    private final Events events;
    private final FileOpener opener;
    /** Who waits for the present file to take no more frames. */
    private final RollRequests rolls = new RollRequests();

    private State state = State.OPENING;
    private @Nullable JournalFile file;
    /** Written to a file that failed, to be written again before anything else. */
    private @Nullable EntryGroup again;

    private @Nullable EntryGroup inFlight;
    private long nextNumber;
    /** The last file that holds anything acknowledged, and where that ends; −1: none yet. */
    private long countedNumber = -1;

    private long countedEnd = JournalHeader.NO_PREVIOUS;
    /** Files that failed since the last append that succeeded. */
    private int failuresInARow;

    private volatile long deletableBelow;

    AppendLane(LanePorts ports, Events events) {
        this.ports = ports;
        this.path = ports.path();
        this.maker = ports.maker();
        this.loop = ports.loop();
        this.config = ports.config();
        this.events = events;
        this.opener = new FileOpener(path, maker, ports.store(), loop, config, this::headerOf);
    }

    @Override
    public void begin() {
        openNext();
    }

    @Override
    public @Nullable JournalFile next() {
        return state == State.READY ? file : null;
    }

    @Override
    public boolean isFull(JournalFile current) {
        return current.isFull(config) || rolls.want(current);
    }

    @Override
    public @Nullable EntryGroup toWriteAgain() {
        return again;
    }

    @Override
    public void write(EntryGroup group) {
        JournalFile current = open();
        int from = current.acknowledgedEnd();
        ByteRun written = current.takeWritten();
        group.keep(written, from);
        again = null;
        state = State.APPENDING;
        inFlight = group;
        send(current, written.share(), copiesOf(written), current.position(), new AppendFlight.Outcome() {
            @Override
            public void durable() {
                inFlight = null;
                current.acknowledge();
                countedNumber = current.number();
                failuresInARow = 0;
                acknowledged(current, current.acknowledgedEnd());
                group.letGo();
                group.tell(entry -> entry.durable(entry.file, entry.bodyPosition));
                state = State.READY;
                events.moved();
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
                AppendLane.this.fenced(current);
            }
        });
    }

    private JournalFile open() {
        JournalFile current = file;
        if (current == null) {
            throw new IllegalStateException("no file is open in " + path.lanePrefix());
        }
        return current;
    }

    private void acknowledged(JournalFile current, int end) {
        countedEnd = end;
        deletableBelow = current.number();
        events.acknowledged(new JournalPosition(current.number(), end));
    }

    private void fenced(JournalFile current) {
        events.ended(new JournalEndedException(
                Reason.FENCED, "this session is fenced: " + current.key() + " has a successor made by somebody else"));
    }

    /** Appends and hears of the outcome, unless the journal ended meanwhile. */
    private void send(
            JournalFile current,
            ByteRun memory,
            List<ByteBuffer> buffers,
            long expectedEnd,
            AppendFlight.Outcome outcome) {
        new AppendFlight(current.appender(), memory, expectedEnd, outcome, events::isOver)
                .start(buffers, loop, ports.clock(), config.appendTimeoutMs(), events::proven);
    }

    /** The appender moves positions of what it is given; the run keeps its own. */
    private static List<ByteBuffer> copiesOf(ByteRun run) {
        List<ByteBuffer> copies = new ArrayList<>(run.parts().size());
        for (ByteBuffer part : run.parts()) {
            copies.add(part.duplicate());
        }
        return copies;
    }

    @Override
    public boolean rest() {
        JournalFile current = open();
        if (isFull(current) || (events.isClosing() && current.acknowledgedEnd() > 0)) {
            closeFile(current);
            return false;
        }
        if (events.isClosing()) {
            current.endFrames();
            var unused = current.appender().close();
            file = null;
            finish(current.number() + 1);
            return false;
        }
        return true;
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
                acknowledged(current, wholeEnd);
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
                if (events.isClosing()) {
                    finish(current.number() + 1);
                } else {
                    openNext();
                }
            }

            @Override
            public void fenced() {
                AppendLane.this.fenced(current);
            }
        });
    }

    private void finish(long number) {
        state = State.CLOSED;
        events.finished(number);
    }

    /** The file gets no more frames: it becomes one of the closed ones. */
    private void fileEnded(JournalFile ended, int framesEnd) {
        events.closed(
                new ClosedFile(ended.number(), ended.key(), framesEnd, framesEnd > 0 ? ended.shards() : List.of()));
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
        long first = nextNumber;
        long from = ports.clock().nanos();
        opener.open(first, Math.max(0, config.createTries() - failuresInARow), new FileOpener.Result() {
            @Override
            public void opened(JournalHeader header, Appender appender) {
                for (long burnt = first; burnt < header.number(); burnt++) {
                    events.closed(new ClosedFile(burnt, path.file(burnt), 0, List.of()));
                }
                if (events.isOver()) {
                    var unused = appender.close();
                    return;
                }
                events.proven(from);
                nextNumber = header.number() + 1;
                file = new JournalFile(path, header, appender, ports.cache(), ports.codec());
                state = State.READY;
                events.ready();
            }

            @Override
            public void ended(JournalEndedException cause) {
                events.ended(cause);
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
                ports.clock().wallMs());
    }

    @Override
    public boolean roll(long number, CompletableFuture<Optional<JournalPosition>> result) {
        JournalFile current = file;
        if (current == null || current.number() != number) {
            return false;
        }
        rolls.add(number, result);
        return true;
    }

    @Override
    public Optional<JournalPosition> endOf(long number) {
        return number == countedNumber
                ? Optional.of(new JournalPosition(number, Math.toIntExact(countedEnd)))
                : Optional.empty();
    }

    @Override
    public OptionalLong nextToBeMade() {
        JournalFile current = file;
        return current == null ? OptionalLong.empty() : OptionalLong.of(current.number() + 1);
    }

    @Override
    public long deletableBelow() {
        return deletableBelow;
    }

    @Override
    public void end(JournalEndedException cause, EntryGroup unanswered) {
        JournalFile current = file;
        if (current != null) {
            current.endFrames();
            if (state == State.READY) {
                var unused = current.appender().close();
            }
            file = null;
        }
        rolls.fail(cause);
        EntryGroup group = inFlight != null ? inFlight : again;
        if (group != null) {
            group.letGo();
            unanswered.addAll(group);
        }
        inFlight = null;
        again = null;
    }
}
