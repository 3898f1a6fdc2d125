package io.forebay.broker.fetch;

import io.forebay.model.ByteRun;
import io.forebay.model.Loop;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * One fetch over partitions that may live on several loops: read all, and if that is not enough wait at those that had
 * nothing, read again what has grown, and answer when there is enough or time is up.
 *
 * <p>Owned by its home loop (that of its first partition). A partition is read on its own loop, which hands the result home. Rounds:
 * {@code READING → (enough | WAITING → READING …) → ANSWERED}. What a partition returned stays until it signals
 * more, so a wake-up costs as much as the partitions that woke it.
 */
public final class Fetch implements FetchCall {

    private final List<Target> targets;
    private final FetchLimits limits;
    private final Consumer<List<FetchedPartition>> answer;
    private final Loop home;
    private final AtomicInteger budget;
    private final AtomicInteger memoryBudget;
    private final AtomicBoolean firstBatchTaken = new AtomicBoolean();

    private final FetchedPartition[] results;
    private final @Nullable WaitingPartition[] waiting;
    private int openReads;
    private boolean waits;
    private boolean deadlinePassed;
    private boolean answered;
    private boolean roundQueued;
    private final boolean[] grownFlags;
    private List<Integer> grown = new ArrayList<>();
    private Loop.@Nullable Cancellable deadline;

    /**
     * Prepares a fetch.
     *
     * @param fallback home loop if no partition is served here
     */
    public Fetch(List<Target> targets, FetchLimits limits, Loop fallback, Consumer<List<FetchedPartition>> answer) {
        this.targets = targets;
        this.limits = limits;
        this.answer = answer;
        this.budget = new AtomicInteger(limits.maxBytes());
        this.memoryBudget = new AtomicInteger(limits.maxMemoryBytes());
        this.results = new FetchedPartition[targets.size()];
        this.waiting = new WaitingPartition[targets.size()];
        this.grownFlags = new boolean[targets.size()];
        Loop first = fallback;
        for (int i = targets.size() - 1; i >= 0; i--) {
            PartitionSource source = targets.get(i).source();
            if (source == null) {
                results[i] = FetchedPartition.failed(targets.get(i).refusal());
            } else {
                first = source.loop();
            }
        }
        this.home = first;
    }

    /**
     * One partition of a fetch.
     *
     * @param source where it is served, null if not here
     * @param refusal what to answer if it isn't served here
     */
    public record Target(PartitionFetch want, @Nullable PartitionSource source, Errors refusal) {}

    /** Begins. Any thread. */
    public FetchCall start() {
        home.run(() -> {
            List<Integer> all = new ArrayList<>(targets.size());
            for (int i = 0; i < targets.size(); i++) {
                if (targets.get(i).source() != null) {
                    all.add(i);
                }
            }
            readRound(all);
        });
        return this;
    }

    @Override
    public void cancel() {
        home.run(() -> {
            if (!answered) {
                answered = true;
                stopWaiting();
                releaseAll();
            }
        });
    }

    /** On the home loop: reads these partitions on their loops. */
    private void readRound(List<Integer> indexes) {
        IdentityHashMap<Loop, List<Integer>> byLoop = new IdentityHashMap<>();
        for (int i : indexes) {
            byLoop.computeIfAbsent(source(i).loop(), l -> new ArrayList<>()).add(i);
        }
        openReads = byLoop.size();
        if (openReads == 0) {
            decide();
            return;
        }
        // The home loop's own share comes last: it may end the round.
        List<Integer> own = byLoop.remove(home);
        byLoop.forEach((loop, share) -> loop.execute(() -> readShare(share)));
        if (own != null) {
            readShare(own);
        }
    }

    /** On the partitions' loop. */
    private void readShare(List<Integer> share) {
        FetchedPartition[] read = new FetchedPartition[share.size()];
        ShareCount left = new ShareCount(share, read);
        for (int k = 0; k < read.length; k++) {
            readOne(share.get(k), k, left);
        }
        left.arrived();
    }

    private void readOne(int i, int k, ShareCount left) {
        PartitionFetch want = targets.get(i).want();
        PartitionSource source = source(i);
        int room = Math.max(0, Math.min(want.maxBytes(), budget.get()));
        int memoryRoom = Math.max(0, Math.min(room, memoryBudget.get()));
        boolean minOne = !firstBatchTaken.get();
        FetchedPartition cached = source.readCached(want, limits.readCommitted(), room, memoryRoom, minOne);
        if (cached != null) {
            left.put(k, account(cached));
            return;
        }
        left.expect();
        // Reserved before the read, so that parallel reads together stay within the limit.
        budget.addAndGet(-memoryRoom);
        memoryBudget.addAndGet(-memoryRoom);
        boolean first = minOne && firstBatchTaken.compareAndSet(false, true);
        When.done(source.read(want, limits.readCommitted(), memoryRoom, first), (result, failure) -> {
            budget.addAndGet(memoryRoom);
            memoryBudget.addAndGet(memoryRoom);
            left.put(k, failure == null ? account(result) : FetchedPartition.failed(Errors.KAFKA_STORAGE_ERROR));
            left.arrived();
        });
    }

    private FetchedPartition account(FetchedPartition result) {
        if (result.records().sizeBytes() > 0) {
            take(result.records(), 1);
            firstBatchTaken.set(true);
        }
        return result;
    }

    /** @param sign 1 to take from the budgets what the records need, −1 to give it back */
    private void take(ByteRun records, int sign) {
        int size = sign * records.sizeBytes();
        budget.addAndGet(-size);
        if (!records.inFile()) {
            memoryBudget.addAndGet(-size);
        }
    }

    /** Results of one loop's share. Owned by that loop. */
    private final class ShareCount {
        private final List<Integer> share;
        private final FetchedPartition[] read;
        private int open = 1;

        ShareCount(List<Integer> share, FetchedPartition[] read) {
            this.share = share;
            this.read = read;
        }

        void expect() {
            open++;
        }

        void put(int k, FetchedPartition result) {
            read[k] = result;
        }

        void arrived() {
            if (--open == 0) {
                home.run(() -> shareRead(share, read));
            }
        }
    }

    /** On the home loop. */
    private void shareRead(List<Integer> share, FetchedPartition[] read) {
        for (int k = 0; k < read.length; k++) {
            if (answered) {
                read[k].records().release();
            } else {
                results[share.get(k)] = read[k];
            }
        }
        if (--openReads == 0 && !answered) {
            decide();
        }
    }

    /** On the home loop, after a round. */
    private void decide() {
        long bytes = 0;
        boolean tell = deadlinePassed || limits.maxWaitMs() <= 0;
        for (FetchedPartition result : results) {
            bytes += result.records().sizeBytes();
            tell |= result.error() != Errors.NONE || result.divergingEpoch() >= 0 || result.reader() >= 0;
        }
        if (tell || bytes >= limits.minBytes()) {
            finish();
        } else if (!waits) {
            waits = true;
            startWaiting();
        } else if (!grown.isEmpty()) {
            nextRound();
        }
    }

    private void startWaiting() {
        deadline = home.schedule(
                () -> {
                    deadlinePassed = true;
                    if (openReads == 0 && !answered) {
                        finish();
                    }
                },
                limits.maxWaitMs());
        IdentityHashMap<Loop, List<WaitingPartition>> byLoop = new IdentityHashMap<>();
        for (int i = 0; i < waiting.length; i++) {
            PartitionSource source = targets.get(i).source();
            if (source != null) {
                WaitingPartition waiter = new WaitingPartition(i, source, results[i].highWatermark());
                waiting[i] = waiter;
                byLoop.computeIfAbsent(source.loop(), l -> new ArrayList<>()).add(waiter);
            }
        }
        List<WaitingPartition> own = byLoop.remove(home);
        byLoop.forEach((loop, waiters) -> loop.execute(() -> waiters.forEach(WaitingPartition::begin)));
        if (own != null) {
            own.forEach(WaitingPartition::begin);
        }
    }

    /** On the home loop: a partition may have more. */
    private void grew(int i) {
        if (answered || grownFlags[i]) {
            return;
        }
        grownFlags[i] = true;
        grown.add(i);
        if (openReads == 0 && !roundQueued) {
            // Partitions that grow in one journal group wake the fetch together.
            roundQueued = true;
            home.execute(() -> {
                roundQueued = false;
                if (openReads == 0 && !answered && !grown.isEmpty()) {
                    nextRound();
                }
            });
        }
    }

    private void nextRound() {
        List<Integer> again = grown;
        grown = new ArrayList<>();
        for (int i : again) {
            grownFlags[i] = false;
            ByteRun before = results[i].records();
            take(before, -1);
            before.release();
            results[i] = withoutRecords(results[i]);
        }
        boolean empty = true;
        for (FetchedPartition result : results) {
            empty &= result.records().sizeBytes() == 0;
        }
        firstBatchTaken.set(!empty);
        readRound(again);
    }

    private static FetchedPartition withoutRecords(FetchedPartition r) {
        return new FetchedPartition(
                r.error(),
                r.highWatermark(),
                r.lastStableOffset(),
                r.logStartOffset(),
                ByteRun.EMPTY,
                List.of(),
                r.divergingEpoch(),
                r.divergingEndOffset(),
                r.reader());
    }

    private void finish() {
        answered = true;
        stopWaiting();
        for (int i = 0; i < results.length; i++) {
            int size = results[i].records().sizeBytes();
            if (size > 0) {
                source(i).answered(size);
            }
        }
        answer.accept(List.of(results));
    }

    private void stopWaiting() {
        if (deadline != null) {
            deadline.cancel();
        }
        if (!waits) {
            return;
        }
        IdentityHashMap<Loop, List<WaitingPartition>> byLoop = new IdentityHashMap<>();
        for (WaitingPartition waiter : waiting) {
            if (waiter != null) {
                byLoop.computeIfAbsent(waiter.source.loop(), l -> new ArrayList<>())
                        .add(waiter);
            }
        }
        byLoop.forEach((loop, waiters) -> loop.run(() -> waiters.forEach(WaitingPartition::end)));
    }

    private void releaseAll() {
        for (FetchedPartition result : results) {
            if (result != null) {
                result.records().release();
            }
        }
    }

    private PartitionSource source(int i) {
        PartitionSource source = targets.get(i).source();
        if (source == null) {
            throw new IllegalStateException("partition " + i + " of the fetch is not served here");
        }
        return source;
    }

    /** Waits at one partition. Owned by the partition's loop. */
    private final class WaitingPartition implements PartitionSource.Waiter {
        private final int index;
        private final PartitionSource source;
        private final long seenHighWatermark;
        private boolean signalled;
        private boolean ended;

        WaitingPartition(int index, PartitionSource source, long seenHighWatermark) {
            this.index = index;
            this.source = source;
            this.seenHighWatermark = seenHighWatermark;
        }

        void begin() {
            if (ended) {
                return;
            }
            source.addWaiter(this);
            if (source.highWatermark() != seenHighWatermark) {
                advanced();
            }
        }

        void end() {
            ended = true;
            source.removeWaiter(this);
        }

        @Override
        public void advanced() {
            if (!ended && !signalled) {
                // Signals once for each round that reads it: the reading side looks at everything there is.
                signalled = true;
                home.run(() -> {
                    source.loop().run(() -> signalled = false);
                    grew(index);
                });
            }
        }
    }
}
