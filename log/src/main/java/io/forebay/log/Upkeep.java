package io.forebay.log;

import io.forebay.log.journal.ClosedFile;
import io.forebay.log.journal.Journal;
import io.forebay.log.journal.JournalCleaner;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.manifest.JournalRange;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.partition.PartitionState;
import io.forebay.log.shard.Shard;
import io.forebay.log.shard.ShardClosedException;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.store.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does besides serving: looks at regular times whether shards are to be flushed or merged, and whether objects and
 * journal files can go. Owned by the home loop; the work itself runs on shard loops, the merge executor and the store's threads.
 *
 * <p>At most {@link #FLUSHES_AT_ONCE} flushes, one merge and one cleaning at a time. What fails is tried again at a later look.
 */
final class Upkeep {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private static final int FLUSHES_AT_ONCE = 2;
    /** Looks between two times of what is rarely needed. */
    private static final int SLOW_LOOKS = 10;
    /** Looks between two sweeps for orphans of the same shard. */
    private static final int SWEEP_LOOKS = 600;
    /** Looks before the files of an ended session that somebody may still need are asked for again. */
    private static final int CLEAN_AGAIN_LOOKS = 60;
    /** Looks after an opening before what past sessions left is moved: first clients come back. */
    private static final int PAST_LOOKS = 10;
    /**
     * Looks after an opening before what lies in the journal of a living session is moved, then however large its batches are: no file of that
     * journal behind it can go before. Not earlier, since shards that move come in crowds, to nodes that have enough to do: a move itself writes manifests alone.
     */
    private static final int LENT_LOOKS = 120;
    /** Looks between two searches for what ended sessions have left. */
    private static final int LEFT_LOOKS = 600;

    private final long session;
    private final LogPorts ports;
    private final LogConfig config;
    private final List<Journal> journals;
    private final EndedSessions endedSessions;
    private final Map<ShardId, Shard> open;
    private final FlushPolicy flushPolicy;

    private final Set<Shard> flushing = new HashSet<>();
    private final List<LaneCut> cuts = new ArrayList<>();
    private final Map<Shard, Kept> kept = new HashMap<>();
    /** When to ask again for the files of an ended session. */
    private final Map<Long, Long> cleanAgainAt = new HashMap<>();

    private final BooleanSupplier opening;
    private final BooleanSupplier cleansEnded;
    private Consumer<ShardId> keptByClosed = shard -> {};
    /** When to look again for what ended sessions have left. */
    private long lookForLeftAt;

    private boolean merging;
    private boolean cleaning;
    private boolean ended;
    private long looks;

    /** What is noted of an open shard. */
    private static final class Kept {
        final long since;
        /** Version of the manifest that was last found to have nothing to merge; −1: none. */
        long unmergeable = -1;
        /** What {@link Shard#neededLess} said then. */
        int neededLess;

        Kept(long since) {
            this.since = since;
        }
    }

    Upkeep(
            long session,
            LogPorts ports,
            LogConfig config,
            List<Journal> journals,
            EndedSessions endedSessions,
            Map<ShardId, Shard> open,
            BooleanSupplier opening,
            BooleanSupplier cleansEnded) {
        this.session = session;
        this.ports = ports;
        this.config = config;
        this.journals = journals;
        this.endedSessions = endedSessions;
        this.open = open;
        this.opening = opening;
        this.cleansEnded = cleansEnded;
        this.flushPolicy = new FlushPolicy(config.shard());
        for (int lane = 0; lane < config.lanes(); lane++) {
            cuts.add(new LaneCut(config.unretiredBytes() / config.lanes()));
        }
    }

    void start() {
        var unused = ports.home().schedule(this::look, config.checkMs());
    }

    /** See {@link NodeLog#onKeptByClosed}. */
    void onKeptByClosed(Consumer<ShardId> listener) {
        keptByClosed = listener;
    }

    /** No more looks. What runs ends by itself. */
    void end() {
        ended = true;
    }

    private void look() {
        if (ended) {
            return;
        }
        looks++;
        kept.keySet().removeIf(shard -> open.get(shard.id()) != shard);
        for (Shard shard : open.values()) {
            kept.computeIfAbsent(shard, s -> new Kept(looks));
        }
        flush();
        merge();
        if (looks % SLOW_LOOKS == 0) {
            if (!opening.getAsBoolean()) {
                endedSessions.forgetIndexes();
                clean();
            }
            for (Shard shard : open.values()) {
                forgetFlushed(shard);
            }
        }
        collect();
        start();
    }

    private void flush() {
        int free = FLUSHES_AT_ONCE - flushing.size();
        if (free <= 0) {
            return;
        }
        List<Shard> shards = new ArrayList<>(open.values());
        for (int lane = 0; lane < cuts.size(); lane++) {
            cuts.get(lane).look(journals.get(lane).closedFiles(), firstNeeded(lane, shards));
        }
        List<FlushPolicy.Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            Shard shard = shards.get(i);
            if (!flushing.contains(shard)) {
                candidates.add(candidate(i, shard));
            }
        }
        for (FlushPolicy.Choice choice : flushPolicy.choose(candidates, free)) {
            Shard shard = shards.get(choice.index());
            flushing.add(shard);
            run(shard, "flush", flush(shard, choice.reach()), flushed -> {
                flushing.remove(shard);
                // What is left is due as well: a node that has just started is done with its past soon, and then rests.
                if (flushed && !ended) {
                    flush();
                }
            });
        }
    }

    private Supplier<CompletableFuture<Void>> flush(Shard shard, FlushPolicy.Reach reach) {
        return switch (reach) {
            case ALL -> shard::flush;
            case PINNED -> {
                long firstFile = cuts.get(laneOf(shard)).firstFile();
                yield () -> shard.flushBefore(firstFile);
            }
            case PAST -> () -> shard.flushBefore(0);
        };
    }

    private int laneOf(Shard shard) {
        return Math.floorMod(shard.id().value(), config.lanes());
    }

    /** The lowest file of a lane that an open shard needs; beyond all files if none is needed. */
    private long firstNeeded(int lane, List<Shard> shards) {
        long first = Long.MAX_VALUE;
        for (Shard shard : shards) {
            for (JournalRange range : shard.manifest().ranges()) {
                if (range.session() == session && range.lane() == lane) {
                    first = Math.min(first, range.from().file());
                }
            }
        }
        return first;
    }

    private FlushPolicy.Candidate candidate(int index, Shard shard) {
        Manifest manifest = shard.manifest();
        boolean pins = false;
        int past = 0;
        Kept noted = kept.get(shard);
        long age = noted == null ? 0 : looks - noted.since;
        for (JournalRange range : manifest.ranges()) {
            if (range.session() == session) {
                pins |= range.from().file() < cuts.get(range.lane()).firstFile();
            } else if (endedSessions.isEnded(range.session())) {
                past += age >= PAST_LOOKS ? 1 : 0;
            } else if (age >= LENT_LOOKS) {
                past++;
                pins = true;
            }
        }
        return new FlushPolicy.Candidate(index, shard.unflushedBytes(), shard.unflushedFrames(), pins, past);
    }

    private void merge() {
        if (merging) {
            return;
        }
        for (Shard shard : open.values()) {
            Kept noted = kept.get(shard);
            long version = shard.manifest().version();
            int neededLess = shard.neededLess();
            if (noted != null && (noted.unmergeable != version || noted.neededLess != neededLess)) {
                merging = true;
                run(
                        shard,
                        "merge",
                        () -> shard.merge()
                                .thenAcceptAsync(
                                        merged -> {
                                            if (!merged) {
                                                noted.unmergeable = version;
                                                noted.neededLess = neededLess;
                                            }
                                        },
                                        ports.home()),
                        merged -> merging = false);
                return;
            }
        }
    }

    private void collect() {
        for (Shard shard : open.values()) {
            Kept noted = kept.get(shard);
            long age = noted == null ? 0 : looks - noted.since;
            boolean sweep = age % SWEEP_LOOKS == 1;
            if (!sweep && !shard.hasGarbage()) {
                continue;
            }
            shard.loop().execute(() -> {
                CompletableFuture<Void> collected = shard.collectGarbage();
                if (sweep) {
                    var unused = collected.thenCompose(done -> shard.sweepOrphans());
                }
            });
        }
    }

    private void forgetFlushed(Shard shard) {
        long tailBytes = ports.cache().config().tailBytes();
        List<JournalPosition> ends =
                journals.stream().map(Journal::nextPosition).toList();
        PartitionState.FramePlace gone = (file, position) -> {
            if (file.path().session() != session) {
                return true;
            }
            JournalPosition end = ends.get(file.path().lane());
            long behind = (end.file() - file.number()) * config.journal().fileBytes() + end.position() - position;
            return behind > tailBytes;
        };
        shard.loop().execute(() -> shard.forgetFlushed(gone));
    }

    private void clean() {
        if (cleaning) {
            return;
        }
        cleaning = true;
        JournalNeed need = new JournalNeed(session, ports, open);
        JournalCleaner cleaner = new JournalCleaner(ports.store(), ports.home(), need);
        CompletableFuture<Void> cleaned = CompletableFuture.completedFuture(null);
        for (Journal journal : journals) {
            List<ClosedFile> files = journal.closedFiles();
            long below = journal.deletableBelow();
            cleaned = cleaned.thenCompose(before -> cleaner.clean(journal.path(), files, below))
                    .thenAccept(deleted -> {
                        if (deleted > 0) {
                            journal.deleted(files.get(deleted - 1).number());
                            files.subList(0, deleted)
                                    .forEach(file -> ports.cache().drop(file.key()));
                        }
                    });
        }
        if (cleansEnded.getAsBoolean()) {
            cleaned = cleanEnded(cleaned, cleaner);
        } else {
            lookForLeftAt = 0;
            endedSessions.leaveToOthers();
        }
        var unused = cleaned.whenCompleteAsync(
                (done, thrown) -> {
                    cleaning = false;
                    tellWhatIsKept(need);
                    if (thrown != null) {
                        lookForLeftAt = 0;
                        LOG.info("journal files could not be deleted, trying again later: {}", thrown.toString());
                    }
                },
                ports.home());
    }

    private CompletableFuture<Void> cleanEnded(CompletableFuture<Void> before, JournalCleaner cleaner) {
        CompletableFuture<Void> cleaned = before;
        if (looks >= lookForLeftAt) {
            lookForLeftAt = looks + LEFT_LOOKS;
            cleaned = cleaned.thenComposeAsync(done -> endedSessions.findLeft(), ports.home());
        }
        for (long past : endedSessions.sessions()) {
            if (namedByOpenShard(past)) {
                // It will be another answer when that shard needs it no more.
                cleanAgainAt.remove(past);
            } else if (cleanAgainAt.getOrDefault(past, 0L) <= looks) {
                cleanAgainAt.put(past, looks + CLEAN_AGAIN_LOOKS);
                cleaned = cleaned.thenComposeAsync(done -> endedSessions.clean(past, cleaner), ports.home())
                        .thenAcceptAsync(
                                all -> {
                                    if (all) {
                                        cleanAgainAt.remove(past);
                                    }
                                },
                                ports.home());
            }
        }
        return cleaned;
    }

    /** All of them: which are this node's own the listener knows. */
    private void tellWhatIsKept(JournalNeed need) {
        if (!ended) {
            need.neededByClosed().forEach(keptByClosed);
        }
    }

    private boolean namedByOpenShard(long past) {
        for (Shard shard : open.values()) {
            for (JournalRange range : shard.manifest().ranges()) {
                if (range.session() == past) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Runs one thing on a shard's loop and comes back with whether it succeeded. */
    private void run(Shard shard, String what, Supplier<CompletableFuture<Void>> work, Consumer<Boolean> after) {
        shard.loop().execute(() -> {
            var unused = work.get()
                    .whenCompleteAsync(
                            (done, thrown) -> {
                                after.accept(thrown == null);
                                if (thrown != null && open.containsKey(shard.id())) {
                                    tell(shard.id(), what, Retry.unwrap(thrown));
                                }
                            },
                            ports.home());
        });
    }

    /** One line for what an outage does again and again; a stack trace is for what nobody expected. */
    private static void tell(ShardId shard, String what, Throwable cause) {
        if (cause instanceof ShardClosedException || cause instanceof JournalEndedException) {
            LOG.debug("shard {}: {} is left to its next owner: {}", shard, what, cause.getMessage());
        } else if (cause instanceof StoreException) {
            LOG.warn("shard {}: {} failed, trying again later: {}", shard, what, cause.toString());
        } else {
            LOG.warn("shard {}: {} failed, trying again later", shard, what, cause);
        }
    }
}
