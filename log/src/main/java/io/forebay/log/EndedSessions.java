package io.forebay.log;

import io.forebay.log.journal.ClosedFile;
import io.forebay.log.journal.FencedJournal;
import io.forebay.log.journal.JournalCleaner;
import io.forebay.log.journal.JournalFence;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.journal.JournalReplay;
import io.forebay.log.journal.SessionIndex;
import io.forebay.log.journal.UnfencedReplay;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.shard.PastFrames;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.StoreException;
import io.forebay.store.StoreRetryPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;

/**
 * The sessions of the past that were fenced here, and their indexes, read when the first shard asks; beside them what living sessions have released. Owned by
 * the home loop; methods may be called from any thread.
 */
final class EndedSessions implements PastFrames {

    private static final String PREFIX = "journal";
    private static final int LIST_LIMIT = 1_000;
    /** A journal file of at most a header. */
    private static final int EMPTY_FILE_BYTES = 64;

    private final long ownSession;
    private final LogPorts ports;
    private final int ownLanes;
    private final JournalFence fence;
    private final LongPredicate recordedEnded;
    private final JournalReplay replay;
    private final UnfencedReplay unfenced;
    private final Map<Long, CompletableFuture<FencedJournal>> fenced = new HashMap<>();
    private final Map<Long, CompletableFuture<SessionIndex>> indexes = new HashMap<>();

    EndedSessions(long ownSession, LogPorts ports, int ownLanes, JournalFence fence, LongPredicate recordedEnded) {
        this.recordedEnded = recordedEnded;
        this.ownSession = ownSession;
        this.ports = ports;
        this.ownLanes = ownLanes;
        this.fence = fence;
        this.replay = new JournalReplay(ports.store(), ports.merge(), ports.damage());
        this.unfenced = new UnfencedReplay(ports.store(), ports.home(), ports.merge(), ports.damage());
    }

    /** Makes sure that a session can acknowledge nothing more. Completes on the home loop. */
    CompletableFuture<FencedJournal> fence(long session) {
        if (session == ownSession) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException("session " + session + " does not fence itself"));
        }
        CompletableFuture<FencedJournal> result = new CompletableFuture<>();
        ports.home().run(() -> {
            CompletableFuture<FencedJournal> known = fenced.get(session);
            if (known == null || known.isCompletedExceptionally()) {
                known = fenceLanes(session);
                fenced.put(session, known);
            }
            var unused = known.whenComplete((journal, thrown) -> {
                if (thrown == null) {
                    result.complete(journal);
                } else {
                    result.completeExceptionally(Retry.unwrap(thrown));
                }
            });
        });
        return result;
    }

    /**
     * Lane 0 first: if its first file is there, the session was started and all its lanes have files that a listing shows; if not,
     * the tombstone keeps the session from ever starting.
     */
    private CompletableFuture<FencedJournal> fenceLanes(long session) {
        return fence.fence(PREFIX, session, 1)
                .thenCompose(
                        first -> Retry.on(ports.home(), () -> lanes(session, "", ownLanes), StoreRetryPolicy.DEFAULT)
                                .thenComposeAsync(lanes -> fence.fence(first, lanes), ports.home()));
    }

    private CompletableFuture<Integer> lanes(long session, String startAfter, int atLeast) {
        String prefix = PREFIX + "/" + ObjectKey.padded(session) + "/";
        return ports.store().list(prefix, startAfter, LIST_LIMIT).thenCompose(found -> {
            int lanes = Math.max(atLeast, lanes(prefix, found));
            return found.size() < LIST_LIMIT
                    ? CompletableFuture.completedFuture(lanes)
                    : lanes(session, found.get(found.size() - 1).key().value(), lanes);
        });
    }

    private static int lanes(String prefix, List<ObjectStat> found) {
        int lanes = 1;
        for (ObjectStat stat : found) {
            String rest = stat.key().value().substring(prefix.length());
            lanes = Math.max(lanes, Integer.parseInt(rest.substring(0, rest.indexOf('/'))) + 1);
        }
        return lanes;
    }

    @Override
    public CompletableFuture<Boolean> hasEnded(long session) {
        return CompletableFuture.supplyAsync(() -> isEnded(session), ports.home());
    }

    /** On the home loop. */
    boolean isEnded(long session) {
        return session != ownSession && (fenced.containsKey(session) || recordedEnded.test(session));
    }

    @Override
    public CompletableFuture<SessionIndex> index(JournalRange range) {
        return hasEnded(range.session())
                .thenCompose(ended -> ended || range.to().isEmpty()
                        ? index(range.session())
                        : Retry.on(
                                ports.home(), () -> released(range, range.to().get()), StoreRetryPolicy.DEFAULT));
    }

    private CompletableFuture<SessionIndex> released(JournalRange range, JournalPosition end) {
        return unfenced.load(JournalPath.ofSession(range.session(), range.lane()), range.from(), end);
    }

    /** All frames of a session that was fenced. */
    private CompletableFuture<SessionIndex> index(long session) {
        CompletableFuture<SessionIndex> result = new CompletableFuture<>();
        ports.home().run(() -> {
            CompletableFuture<FencedJournal> journal = fenced.get(session);
            if (journal == null && recordedEnded.test(session)) {
                // Fencing again finds the same ends.
                journal = fence(session);
            }
            if (journal == null) {
                result.completeExceptionally(new IllegalStateException("session " + session + " was not fenced here"));
                return;
            }
            CompletableFuture<SessionIndex> known = indexes.get(session);
            if (known == null || known.isCompletedExceptionally()) {
                known = journal.thenCompose(this::load)
                        .exceptionallyComposeAsync(thrown -> loadAgain(session, thrown), ports.home());
                indexes.put(session, known);
            }
            var unused = known.whenComplete((index, thrown) -> {
                if (thrown == null) {
                    result.complete(index);
                } else {
                    result.completeExceptionally(Retry.unwrap(thrown));
                }
            });
        });
        return result;
    }

    private CompletableFuture<SessionIndex> load(FencedJournal left) {
        return Retry.on(ports.home(), () -> replay.load(left, lane -> 0), StoreRetryPolicy.DEFAULT);
    }

    /** Some of its files were deleted since it was fenced: fencing again finds those that are left. */
    private CompletableFuture<SessionIndex> loadAgain(long session, Throwable thrown) {
        if (!isGone(thrown)) {
            return CompletableFuture.failedFuture(thrown);
        }
        CompletableFuture<FencedJournal> again = fenceLanes(session);
        fenced.put(session, again);
        return again.thenCompose(this::load);
    }

    /** Frees the indexes; who needs one later reads it again. On the home loop. */
    void forgetIndexes() {
        indexes.values().removeIf(CompletableFuture::isDone);
        unfenced.forget();
    }

    /** Forgets sessions that others clean up after; who needs one later fences it again, which finds the same. On the home loop. */
    void leaveToOthers() {
        fenced.entrySet().removeIf(one -> one.getValue().isDone() && recordedEnded.test(one.getKey()));
    }

    /** Sessions that were fenced here and whose files were not all deleted. On the home loop. */
    List<Long> sessions() {
        return List.copyOf(fenced.keySet());
    }

    /**
     * Takes note of ended sessions that still have files besides their tombstones, so that these are deleted some day. Completes on
     * the home loop.
     */
    CompletableFuture<Void> findLeft() {
        return left("", new TreeMap<>())
                .thenAcceptAsync(
                        files -> files.forEach((lane, count) -> {
                            long session = lane.session();
                            if (count > 1
                                    && session != ownSession
                                    && !fenced.containsKey(session)
                                    && recordedEnded.test(session)) {
                                var unused = fence(session);
                            }
                        }),
                        ports.home());
    }

    /** One lane of one session's journal. */
    private record LaneOf(long session, int lane) implements Comparable<LaneOf> {
        @Override
        public int compareTo(LaneOf other) {
            return session != other.session ? Long.compare(session, other.session) : Integer.compare(lane, other.lane);
        }
    }

    private CompletableFuture<Map<LaneOf, Integer>> left(String startAfter, Map<LaneOf, Integer> files) {
        String prefix = PREFIX + "/";
        return ports.store().list(prefix, startAfter, LIST_LIMIT).thenCompose(found -> {
            for (ObjectStat stat : found) {
                String rest = stat.key().value().substring(prefix.length());
                int slash = rest.indexOf('/');
                long session = Long.parseLong(rest.substring(0, slash));
                int lane = Integer.parseInt(rest.substring(slash + 1, rest.indexOf('/', slash + 1)));
                files.merge(new LaneOf(session, lane), 1, Integer::sum);
            }
            return found.size() < LIST_LIMIT
                    ? CompletableFuture.completedFuture(files)
                    : left(found.get(found.size() - 1).key().value(), files);
        });
    }

    /**
     * Deletes the files of a session that no manifest needs. Completes on the home loop, with whether all are gone.
     *
     * @param cleaner owned by the home loop
     */
    CompletableFuture<Boolean> clean(long session, JournalCleaner cleaner) {
        CompletableFuture<FencedJournal> journal = fenced.get(session);
        if (journal == null) {
            return CompletableFuture.completedFuture(true);
        }
        return journal.thenCombine(index(session), Left::new)
                .thenComposeAsync(left -> cleanLanes(left, cleaner, 0, true), ports.home())
                .thenApply(all -> {
                    if (all) {
                        fenced.remove(session);
                        indexes.remove(session);
                    }
                    return all;
                });
    }

    /** What a session has left. */
    private record Left(FencedJournal journal, SessionIndex index) {}

    private CompletableFuture<Boolean> cleanLanes(Left left, JournalCleaner cleaner, int next, boolean allBefore) {
        if (next == left.journal().lanes().size()) {
            return CompletableFuture.completedFuture(allBefore);
        }
        FencedJournal.Lane lane = left.journal().lanes().get(next);
        List<ClosedFile> files = lane.files().stream()
                .map(file -> new ClosedFile(
                        file.number(), file.key(), file.end(), left.index().shards(lane.lane(), file.number())))
                .toList();
        JournalPath path =
                new JournalPath(left.journal().prefix(), left.journal().session(), lane.lane());
        return cleaner.clean(path, files, lane.tombstone()).thenCompose(deleted -> {
            if (deleted < files.size()) {
                return cleanLanes(left, cleaner, next + 1, false);
            }
            return deleteStrays(path, lane.tombstone())
                    .thenCompose(done -> cleanLanes(left, cleaner, next + 1, allBefore));
        });
    }

    /**
     * Deletes what late requests of the ended session have made. Below the tombstone, after those around it were gone, there are files
     * without frames; one that has some is left alone. What lies above it was never part of the journal.
     */
    private CompletableFuture<Void> deleteStrays(JournalPath path, long tombstone) {
        return ports.store().list(path.lanePrefix(), "", LIST_LIMIT).thenCompose(found -> {
            CompletableFuture<Void> deleted = CompletableFuture.completedFuture(null);
            for (ObjectStat stat : found) {
                int place = stat.key().compareTo(path.file(tombstone));
                if (place < 0) {
                    deleted = deleted.thenCompose(before -> deleteStray(stat.key()));
                } else if (place > 0) {
                    deleted = deleted.thenCompose(
                            before -> successIfGone(ports.store().delete(stat.key())));
                }
            }
            return deleted;
        });
    }

    private CompletableFuture<Void> deleteStray(ObjectKey key) {
        return successIfGone(ports.store()
                .seal(key)
                .thenCompose(end ->
                        end <= EMPTY_FILE_BYTES ? ports.store().delete(key) : CompletableFuture.completedFuture(null)));
    }

    /** Success also if another node has deleted it meanwhile. */
    private static CompletableFuture<Void> successIfGone(CompletableFuture<Void> deletion) {
        return deletion.exceptionallyCompose(thrown ->
                isGone(thrown) ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(thrown));
    }

    private static boolean isGone(Throwable thrown) {
        return Retry.unwrap(thrown) instanceof StoreException store && store.kind() == StoreException.Kind.NOT_FOUND;
    }
}
