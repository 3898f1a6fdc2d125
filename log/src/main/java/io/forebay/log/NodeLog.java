package io.forebay.log;

import io.forebay.log.journal.FencedJournal;
import io.forebay.log.journal.Journal;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalFence;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.segment.SegmentIndexes;
import io.forebay.log.shard.AdvanceQueue;
import io.forebay.log.shard.RateLimit;
import io.forebay.log.shard.Shard;
import io.forebay.log.shard.ShardOpening;
import io.forebay.log.shard.ShardPorts;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One session's part of the log: its journal and the shards it has opened. Made for one session and never used again after
 * it ended; the pages and the store outlive it. Methods may be called from any thread; state is owned by the home loop.
 */
public final class NodeLog {

    private final long session;
    private final LogPorts ports;
    private final LogConfig config;
    private final List<Journal> journals = new ArrayList<>();
    private final EndedSessions endedSessions;
    private final CompletableFuture<JournalEndedException> ended = new CompletableFuture<>();

    /** Owned by the home loop, as all below. */
    private final Map<ShardId, Shard> open = new HashMap<>();

    private final Map<ShardId, Shard> released = new HashMap<>();
    private final Map<Loop, LoopShare> shares = new HashMap<>();
    private final Queue<Runnable> waitingToOpen = new ArrayDeque<>();
    private final RateLimit mergeRate;
    private final Upkeep upkeep;
    private int opening;

    /** What all shards of one loop share. */
    private record LoopShare(AdvanceQueue advances, SegmentIndexes indexes) {}

    /**
     * The log of a new session.
     *
     * @param session never used before
     * @param recordedEnded whether the root has recorded that a session is fenced: what it left may be read at any time. Called on the home loop
     */
    public NodeLog(long session, LogPorts ports, LogConfig config, LongPredicate recordedEnded) {
        if (ports.journals().size() < config.lanes()) {
            throw new IllegalArgumentException(config.lanes() + " lanes need as many loops, not "
                    + ports.journals().size());
        }
        this.session = session;
        this.ports = ports;
        this.config = config;
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
        this.upkeep = new Upkeep(session, ports, config, journals, endedSessions, open, () -> opening > 0);
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
     * Opens a shard under a new epoch. The caller vouches that the owner of every earlier epoch has released it or that its session is fenced (see {@link #fence}) and recorded so.
     * Completes on the shard's loop; fails with {@link io.forebay.log.shard.ShardLostException} if a manifest of the same or a higher epoch exists.
     */
    public CompletableFuture<Shard> open(ShardId shard, long epoch, Loop loop) {
        CompletableFuture<Shard> result = new CompletableFuture<>();
        ports.home().run(() -> {
            waitingToOpen.add(() -> openNow(shard, epoch, loop, result));
            openWaiting();
        });
        return result;
    }

    private void openWaiting() {
        while (opening < config.openParallelism() && !waitingToOpen.isEmpty()) {
            opening++;
            waitingToOpen.remove().run();
        }
    }

    private void openNow(ShardId id, long epoch, Loop loop, CompletableFuture<Shard> result) {
        Shard here = open.get(id);
        if (here != null || ended.isDone()) {
            opening--;
            result.completeExceptionally(
                    here == null
                            ? ended.join()
                            : new IllegalStateException("shard " + id + " is open here under epoch " + here.epoch()));
            return;
        }
        LoopShare share = shares.computeIfAbsent(
                loop,
                l -> new LoopShare(new AdvanceQueue(l), new SegmentIndexes(ports.store(), l, config.indexBytes())));
        ShardPorts shardPorts = new ShardPorts(
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
        Optional<Shard> before = Optional.ofNullable(released.remove(id));
        loop.execute(() -> {
            ShardOpening attempt = new ShardOpening(id, epoch, shardPorts, endedSessions, before);
            var unused = attempt.open().whenComplete((shard, thrown) -> {
                ports.home().execute(() -> opened(shard));
                if (thrown == null) {
                    shard.whenClosed(() -> ports.home().execute(() -> closed(shard)));
                    result.complete(shard);
                } else {
                    result.completeExceptionally(Retry.unwrap(thrown));
                }
            });
        });
    }

    private void opened(@Nullable Shard shard) {
        opening--;
        openWaiting();
        if (shard != null) {
            open.put(shard.id(), shard);
            if (ended.isDone()) {
                shard.loop().execute(shard::abandon);
            }
        }
    }

    private void closed(Shard shard) {
        if (open.remove(shard.id(), shard) && shard.manifest().released()) {
            released.put(shard.id(), shard);
        }
    }

    /** Fences a session: tombstones, seals. Idempotent. Later opens read what it left from here. */
    public CompletableFuture<Void> fence(long pastSession) {
        return endedSessions.fence(pastSession).thenApply((FencedJournal fenced) -> null);
    }

    /**
     * Sets who is told of a shard that is not open here and keeps files of an ended session: what it needs of them moves to a segment, or turns out to be of
     * deleted partitions, only when its owner opens it. Told on the home loop, again and again as long as it is so.
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
