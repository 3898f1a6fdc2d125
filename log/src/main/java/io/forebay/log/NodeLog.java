package io.forebay.log;

import io.forebay.log.journal.FencedJournal;
import io.forebay.log.journal.Journal;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalFence;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.manifest.ManifestStore;
import io.forebay.log.segment.SegmentIndexes;
import io.forebay.log.shard.AdvanceQueue;
import io.forebay.log.shard.RateLimit;
import io.forebay.log.shard.Shard;
import io.forebay.log.shard.ShardLostException;
import io.forebay.log.shard.ShardOpening;
import io.forebay.log.shard.ShardPorts;
import io.forebay.log.shard.ShardView;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One session's part of the log: its journal and the shards it has opened. Made for one session and never used again after
 * it ended; the pages and the store outlive it. Methods may be called from any thread; state is owned by the home loop.
 */
public final class NodeLog {

    /** Where a proof takes a whole linger an opening is mostly waiting. */
    private static final int MORE_WITHOUT_APPEND = 8;

    private final long session;
    private final LogPorts ports;
    private final LogConfig config;
    private final int openAtOnce;
    private final List<Journal> journals = new ArrayList<>();
    private final EndedSessions endedSessions;
    private final CompletableFuture<JournalEndedException> ended = new CompletableFuture<>();

    /** Owned by the home loop, as all below. */
    private final Map<ShardId, Shard> open = new HashMap<>();

    private final Map<ShardId, Opening> beingOpened = new HashMap<>();
    private final Map<Loop, LoopShare> shares = new HashMap<>();
    private final Queue<Wanted> waitingToOpen = new ArrayDeque<>();
    private final RateLimit mergeRate;
    private final Upkeep upkeep;

    /** A shard that is to be opened. */
    private record Wanted(ShardId id, long epoch, Loop loop, CompletableFuture<Shard> result) {}

    /** A shard that is being opened. */
    private record Opening(long epoch, ShardOpening attempt) {}

    /** What all shards of one loop share. */
    private record LoopShare(AdvanceQueue advances, SegmentIndexes indexes) {}

    /**
     * The log of a new session.
     *
     * @param session never used before
     * @param recordedEnded whether the root has recorded that a session is fenced: what it left may be read at any time. Called on the home loop
     */
    public NodeLog(long session, LogPorts ports, LogConfig config, LongPredicate recordedEnded) {
        this(session, ports, config, recordedEnded, () -> true);
    }

    /**
     * The log of a new session of one of several nodes.
     *
     * @param cleansEnded whether this node deletes what ended sessions have left, now: one node is enough, and two do no harm. Called on the home loop
     */
    public NodeLog(
            long session, LogPorts ports, LogConfig config, LongPredicate recordedEnded, BooleanSupplier cleansEnded) {
        if (ports.journals().size() < config.lanes()) {
            throw new IllegalArgumentException(config.lanes() + " lanes need as many loops, not "
                    + ports.journals().size());
        }
        this.session = session;
        this.ports = ports;
        this.config = config;
        this.openAtOnce =
                config.openParallelism() * (ports.store().capabilities().append() ? 1 : MORE_WITHOUT_APPEND);
        for (int lane = 0; lane < config.lanes(); lane++) {
            journals.add(new Journal(
                    JournalPath.ofSession(session, lane),
                    ports.maker(),
                    ports.store(),
                    ports.journals().get(lane),
                    ports.clock(),
                    ports.cache(),
                    config.journal(),
                    config.lanes(),
                    cause -> ports.home().execute(() -> end(cause))));
        }
        JournalFence fence =
                new JournalFence(ports.store(), ports.home(), ports.clock(), ports.maker(), config.fence());
        this.mergeRate =
                new RateLimit(ports.home(), ports.clock(), config.shard().mergeRateBytes());
        this.endedSessions = new EndedSessions(session, ports, config.lanes(), fence, recordedEnded);
        this.upkeep = new Upkeep(
                session, ports, config, journals, endedSessions, open, () -> !beingOpened.isEmpty(), cleansEnded);
    }

    /** The session whose log this is. */
    public long session() {
        return session;
    }

    /** Creates the first journal file of each lane. The session's number was never used before. */
    public CompletableFuture<Void> start() {
        // Lane 0 last: whoever finds its first file knows that all lanes have theirs.
        CompletableFuture<Void> started = CompletableFuture.completedFuture(null);
        for (int lane = config.lanes() - 1; lane >= 0; lane--) {
            Journal journal = journals.get(lane);
            started = started.thenCompose(before -> journal.start());
        }
        return started.thenRunAsync(upkeep::start, ports.home());
    }

    /**
     * Opens a shard under a new epoch. The owner of every earlier epoch must have released it, or its session must be fenced (see {@link #fence}) and recorded
     * so; else this fails with {@link io.forebay.log.shard.ShardHeldException} and may be tried again. Completes on the shard's loop; fails with {@link
     * ShardLostException} if a manifest of the same or a higher epoch exists, or after {@link #cancelOpen}.
     */
    public CompletableFuture<Shard> open(ShardId shard, long epoch, Loop loop) {
        CompletableFuture<Shard> result = new CompletableFuture<>();
        ports.home().run(() -> {
            waitingToOpen.add(new Wanted(shard, epoch, loop, result));
            openWaiting();
        });
        return result;
    }

    /**
     * Gives up opening a shard under an epoch: the future of {@link #open} fails once nothing of that epoch is in the way of the next owner. If the shard is
     * open already, or nobody opens it under that epoch, nothing happens.
     */
    public void cancelOpen(ShardId shard, long epoch) {
        ports.home().run(() -> {
            waitingToOpen.removeIf(wanted -> {
                boolean cancelled = wanted.id().equals(shard) && wanted.epoch() == epoch;
                if (cancelled) {
                    wanted.result()
                            .completeExceptionally(new ShardLostException(
                                    "opening shard " + shard + " under epoch " + epoch + " was cancelled"));
                }
                return cancelled;
            });
            Opening opening = beingOpened.get(shard);
            if (opening != null && opening.epoch() == epoch) {
                opening.attempt().cancel();
            }
        });
    }

    /** Starts as many as may be opened at once, in the order in which they were asked for; each shard once at a time. */
    private void openWaiting() {
        Iterator<Wanted> waiting = waitingToOpen.iterator();
        List<Wanted> now = new ArrayList<>();
        Set<ShardId> taken = new HashSet<>(beingOpened.keySet());
        while (taken.size() < openAtOnce && waiting.hasNext()) {
            Wanted wanted = waiting.next();
            if (taken.add(wanted.id())) {
                now.add(wanted);
                waiting.remove();
            }
        }
        now.forEach(this::openNow);
    }

    private void openNow(Wanted wanted) {
        ShardId id = wanted.id();
        Shard here = open.get(id);
        if (here != null || ended.isDone()) {
            wanted.result()
                    .completeExceptionally(
                            here == null
                                    ? ended.join()
                                    : new IllegalStateException(
                                            "shard " + id + " is open here under epoch " + here.epoch()));
            ports.home().execute(this::openWaiting);
            return;
        }
        ShardOpening attempt = new ShardOpening(id, wanted.epoch(), portsOf(id, wanted.loop()), endedSessions);
        beingOpened.put(id, new Opening(wanted.epoch(), attempt));
        wanted.loop().execute(() -> {
            var unused = attempt.open().whenComplete((shard, thrown) -> {
                ports.home().execute(() -> opened(id, shard));
                if (thrown == null) {
                    shard.whenClosed(() -> ports.home().execute(() -> open.remove(id, shard)));
                    wanted.result().complete(shard);
                } else {
                    wanted.result().completeExceptionally(Retry.unwrap(thrown));
                }
            });
        });
    }

    /** A view of a shard that another node owns, on a loop: see {@link ShardView}. Completes on that loop. */
    public CompletableFuture<ShardView> view(ShardId shard, Loop loop) {
        return CompletableFuture.supplyAsync(() -> shareOf(loop).indexes(), ports.home())
                .thenApplyAsync(
                        indexes -> new ShardView(shard, ports.store(), ports.cache(), loop, ports.clock(), indexes),
                        loop);
    }

    private LoopShare shareOf(Loop loop) {
        return shares.computeIfAbsent(
                loop,
                l -> new LoopShare(new AdvanceQueue(l), new SegmentIndexes(ports.store(), l, config.indexBytes())));
    }

    private ShardPorts portsOf(ShardId id, Loop loop) {
        LoopShare share = shareOf(loop);
        return new ShardPorts(
                ports.store(),
                ports.cache(),
                journals.get(Math.floorMod(id.value(), config.lanes())),
                loop,
                ports.clock(),
                ports.merge(),
                session,
                ports.maker(),
                ports.random().nextLong(),
                ports.damage(),
                mergeRate,
                share.advances(),
                share.indexes(),
                config.shard());
    }

    private void opened(ShardId id, @Nullable Shard shard) {
        beingOpened.remove(id);
        if (shard != null) {
            open.put(id, shard);
            if (ended.isDone()) {
                shard.loop().execute(shard::abandon);
            }
        }
        openWaiting();
    }

    /** Fences a session: tombstones, seals. Idempotent. Later opens read what it left from here. */
    public CompletableFuture<Void> fence(long pastSession) {
        return endedSessions.fence(pastSession).thenApply((FencedJournal fenced) -> null);
    }

    /**
     * Whether the current manifest of a shard names journals. If the owner of such a shard does not open it, nothing ever moves what it needs of them, and their
     * files stay; so an owner asks this once for each shard that it was given and does not open anyway. One listing and one read; fails as {@link
     * ManifestStore#readCurrent} does.
     */
    public CompletableFuture<Boolean> namesJournals(ShardId shard) {
        return new ManifestStore(ports.store(), ports.home(), shard.value())
                .readCurrent()
                .thenApply(found -> found.isPresent() && !found.get().ranges().isEmpty());
    }

    /**
     * Sets who is told of a shard that is not open here and keeps files of an ended session: what it needs of them moves to a segment, or turns out to be of
     * deleted partitions, only when its owner opens it. Told on the home loop, again and again as long as it is so, by the node that cleans up after ended sessions, which need not be the owner's.
     */
    public void onKeptByClosed(Consumer<ShardId> listener) {
        ports.home().run(() -> upkeep.onKeptByClosed(listener));
    }

    /** Completes when the session's journal has ended, normally or not: all shards are abandoned then. */
    public CompletableFuture<JournalEndedException> ended() {
        return ended.copy();
    }

    private void end(JournalEndedException cause) {
        if (ended.complete(cause)) {
            upkeep.end();
            for (Shard shard : List.copyOf(open.values())) {
                shard.loop().execute(shard::abandon);
            }
            beingOpened.values().forEach(opening -> opening.attempt().abandon());
        }
    }

    /** Looks whether this session is still not fenced, without writing: see {@link Journal#prove}. */
    public CompletableFuture<Boolean> prove() {
        CompletableFuture<Boolean> proved = CompletableFuture.completedFuture(true);
        for (Journal journal : journals) {
            proved = proved.thenCombine(journal.prove(), Boolean::logicalAnd);
        }
        return proved;
    }

    /** When the last proof began that this session was not fenced; see {@link Journal#provenAtNanos}. */
    public long provenAtNanos() {
        long oldest = journals.get(0).provenAtNanos();
        for (Journal journal : journals) {
            oldest = journal.provenAtNanos() - oldest < 0 ? journal.provenAtNanos() : oldest;
        }
        return oldest;
    }

    /** Ends in good order: what was appended becomes durable, the last files get their indexes, the own tombstones are put. */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> closed =
                CompletableFuture.allOf(journals.stream().map(Journal::close).toArray(CompletableFuture<?>[]::new));
        return closed.whenCompleteAsync(
                (done, thrown) -> end(new JournalEndedException(
                        JournalEndedException.Reason.CLOSED, "session " + session + " was closed")),
                ports.home());
    }
}
