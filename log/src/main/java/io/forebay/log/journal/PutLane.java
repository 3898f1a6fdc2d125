package io.forebay.log.journal;

import io.forebay.log.journal.JournalEndedException.Reason;
import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The files of a journal on a store that cannot append: each group is one, put whole, several on their way at a time. Owned by the journal loop.
 *
 * <p>Kept true: a file is acknowledged only when it and all before it are written; no file begins when {@code puts} before it are not acknowledged; no number is
 * skipped; each file says up to where all was acknowledged when it was made, on which fencing and deleting rest (docs/rfcs/0005-store-s3.md).
 */
final class PutLane implements Lane {

    private final LanePorts ports;
    private final JournalPath path;
    private final JournalConfig config;
    private final WaitingEntries waiting;
    private final int groupBytes;
    private final long mostBytes;
    private final Events events;
    private final PutPace pace;

    private final CarriedIndexes carried = new CarriedIndexes();
    private final ArrayDeque<Flight> flights = new ArrayDeque<>();
    private long bytesInFlight;
    private boolean begun;
    private long acknowledged = -1;
    private long acknowledgedLength;
    private JournalFile next;
    private boolean lingering;
    /** Below it an acknowledged file says that everything was written. */
    private volatile long deletableBelow;

    /** A file on its way. */
    private static final class Flight {
        final JournalFile file;
        final EntryGroup group;
        final int length;
        final long fromNanos;
        /** What its header says. */
        final long saysAcknowledged;

        boolean written;

        Flight(JournalFile file, EntryGroup group, int length, long fromNanos, long saysAcknowledged) {
            this.file = file;
            this.group = group;
            this.length = length;
            this.fromNanos = fromNanos;
            this.saysAcknowledged = saysAcknowledged;
        }
    }

    /**
     * Makes a lane that does nothing before {@link #begin}.
     *
     * @param waiting what is to be put
     * @param groupBytes size of a full group, which waits for nothing
     * @param mostBytes another file begins only while less than this is on its way
     */
    PutLane(LanePorts ports, WaitingEntries waiting, int groupBytes, long mostBytes, Events events) {
        this.ports = ports;
        this.path = ports.path();
        this.config = ports.config();
        this.waiting = waiting;
        this.groupBytes = groupBytes;
        this.mostBytes = mostBytes;
        this.events = events;
        this.pace = new PutPace(config.lingerMs());
        this.next = file(1);
    }

    private JournalFile file(long number) {
        return new JournalFile(path, number, ports.cache(), ports.codec());
    }

    /** Puts file 0, which has no frames: it says that this session has begun, and takes the place of a late tombstone for it. */
    @Override
    public void begin() {
        long from = ports.clock().nanos();
        int length = JournalHeader.BYTES;
        ByteBuffer header = JournalHeader.whole(
                        path,
                        0,
                        acknowledged,
                        length,
                        ports.maker(),
                        ports.clock().wallMs())
                .encode();
        put(0, header, () -> {
            begun = true;
            acknowledged = 0;
            events.proven(from);
            events.closed(new ClosedFile(0, path.file(0), 0, List.of()));
            events.ready();
        });
    }

    @Override
    public @Nullable JournalFile next() {
        boolean hasRoom = flights.size() < config.puts() && (flights.isEmpty() || bytesInFlight < mostBytes);
        return begun && hasRoom && !holdsBack() ? next : null;
    }

    /** Whether what waits is to wait a little longer, so that fewer puts are paid for. Tells by itself when the time is over. */
    private boolean holdsBack() {
        if (events.isClosing() || waiting.isEmpty() || waiting.bytes() >= groupBytes) {
            return false;
        }
        long waitMs = pace.waitMs(ports.clock().nanos());
        if (waitMs > 0 && !lingering) {
            lingering = true;
            var unused = ports.loop()
                    .schedule(
                            () -> {
                                lingering = false;
                                events.moved();
                            },
                            waitMs);
        }
        return waitMs > 0;
    }

    @Override
    public boolean isFull(JournalFile file) {
        return file.isFull(config);
    }

    @Override
    public @Nullable EntryGroup toWriteAgain() {
        return null;
    }

    @Override
    public void write(EntryGroup group) {
        JournalFile file = next;
        long from = ports.clock().nanos();
        ByteRun written = file.takeWritten();
        group.keep(written, 0);
        ByteBuffer whole = file.whole(
                written,
                carried,
                path,
                acknowledged,
                ports.maker(),
                ports.clock().wallMs());
        Flight flight = new Flight(file, group, whole.remaining(), from, acknowledged);
        flights.addLast(flight);
        bytesInFlight += flight.length;
        next = file(file.number() + 1);
        pace.began(from);
        put(file.number(), whole, () -> {
            flight.written = true;
            acknowledgeInOrder();
        });
        events.moved();
    }

    private void acknowledgeInOrder() {
        for (Flight first = flights.peekFirst(); first != null && first.written; first = flights.peekFirst()) {
            flights.removeFirst();
            acknowledge(first);
        }
        events.moved();
    }

    private void acknowledge(Flight flight) {
        JournalFile file = flight.file;
        bytesInFlight -= flight.length;
        acknowledged = file.number();
        acknowledgedLength = flight.length;
        deletableBelow = flight.saysAcknowledged + 1;
        events.proven(flight.fromNanos);
        file.acknowledge();
        int framesEnd = file.acknowledgedEnd();
        events.acknowledged(new JournalPosition(file.number(), framesEnd));
        flight.group.letGo();
        flight.group.tell(entry -> entry.durable(entry.file, entry.bodyPosition));
        events.closed(new ClosedFile(file.number(), file.key(), framesEnd, file.shards()));
        file.endFrames();
    }

    @Override
    public boolean rest() {
        if (!events.isClosing()) {
            return true;
        }
        if (flights.isEmpty()) {
            events.finished(next.number());
        }
        return false;
    }

    /** A file takes no frames but those it was put with. */
    @Override
    public boolean roll(long number, CompletableFuture<Optional<JournalPosition>> result) {
        return false;
    }

    @Override
    public Optional<JournalPosition> endOf(long number) {
        return number == acknowledged && number > 0
                ? Optional.of(new JournalPosition(number, Math.toIntExact(acknowledgedLength)))
                : Optional.empty();
    }

    @Override
    public OptionalLong nextToBeMade() {
        return begun && flights.isEmpty() ? OptionalLong.of(next.number()) : OptionalLong.empty();
    }

    @Override
    public long deletableBelow() {
        return deletableBelow;
    }

    /** Puts a whole file until it is written; what else may come of it ends the session. */
    private void put(long number, ByteBuffer whole, Runnable written) {
        new PutFlight(
                        path.file(number),
                        whole,
                        ports.store(),
                        ports.loop(),
                        config,
                        events::isOver,
                        new PutFlight.Outcome() {
                            @Override
                            public void durable() {
                                written.run();
                            }

                            @Override
                            public void fenced() {
                                events.ended(new JournalEndedException(
                                        Reason.FENCED,
                                        "this session is fenced: " + path.file(number) + " was made by somebody else"));
                            }

                            @Override
                            public void failed(String why) {
                                events.ended(new JournalEndedException(
                                        Reason.STORE_FAILED, path.file(number) + " could not be put: " + why));
                            }
                        })
                .start();
    }

    @Override
    public void end(JournalEndedException cause, EntryGroup unanswered) {
        for (Flight flight : List.copyOf(flights)) {
            flight.file.endFrames();
            flight.group.letGo();
            unanswered.addAll(flight.group);
        }
        flights.clear();
        bytesInFlight = 0;
        next.endFrames();
    }
}
