package io.forebay.kafka.fake;

import io.forebay.broker.Broker;
import io.forebay.broker.StoreVolume;
import io.forebay.broker.admin.Admin;
import io.forebay.broker.fetch.FetchCall;
import io.forebay.broker.fetch.FetchLimits;
import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.broker.partition.DeletedRecords;
import io.forebay.broker.partition.DescribedProducers;
import io.forebay.broker.partition.EpochEnd;
import io.forebay.broker.partition.ListedOffset;
import io.forebay.broker.partition.PartitionSize;
import io.forebay.broker.partition.ProduceListener;
import io.forebay.broker.partition.ProduceResult;
import io.forebay.broker.transactions.TransactionConfig;
import io.forebay.broker.transactions.TransactionalProducer;
import io.forebay.broker.transactions.Transactions;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.PartitionImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.jspecify.annotations.Nullable;

/** A broker in memory. Thread-safe by one lock; waits by keeping whoever asks, never by blocking. */
public final class FakeBroker implements Broker {

    private record Key(UUID topicId, int index) {}

    private record Waiting(List<PartitionFetch> asked, FetchLimits limits, Consumer<List<FetchedPartition>> answer) {}

    private final Map<Key, FakePartition> partitions = new HashMap<>();
    private final List<Waiting> fetches = new ArrayList<>();
    private final ArrayDeque<Runnable> held = new ArrayDeque<>();
    private final AtomicInteger pagesInUse = new AtomicInteger();
    private final FakeGroups groups = new FakeGroups();
    private final Transactions transactions =
            new Transactions(true, TransactionConfig.DEFAULT, new HandClock(), Runnable::run, groups);
    private final FakeAdmin admin = new FakeAdmin(this);
    private FakeImage image;
    private boolean holding;
    private int cancelled;
    private int produced;
    private List<PartitionFetch> lastFetch = List.of();
    private @Nullable FetchLimits lastLimits;

    public FakeBroker() {
        image = FakeImage.empty("localhost", 9092);
    }

    @Override
    public CompletableFuture<DescribedProducers> producers(UUID topicId, int index) {
        return CompletableFuture.completedFuture(new DescribedProducers(Errors.NONE, List.of()));
    }

    @Override
    public Transactions transactions() {
        return transactions;
    }

    public synchronized UUID create(String name, int count) {
        UUID id = new UUID(11, image.version());
        image = image.with(name, id, count);
        return id;
    }

    public synchronized void delete(String name) {
        image = image.without(name);
    }

    public synchronized void listensAt(String host, int port) {
        image = image.at(host, port);
    }

    /** From now on no batch is copied and acknowledged before {@link #releaseOne}. */
    public synchronized void holdProduces() {
        holding = true;
    }

    /** Copies and acknowledges the batch that was held back first; false if there is none. */
    public boolean releaseOne() {
        Runnable next;
        synchronized (this) {
            next = held.pollFirst();
        }
        if (next == null) {
            return false;
        }
        next.run();
        return true;
    }

    /** The same with the one held back last. */
    public boolean releaseLast() {
        Runnable next;
        synchronized (this) {
            next = held.pollLast();
        }
        if (next == null) {
            return false;
        }
        next.run();
        return true;
    }

    public synchronized int held() {
        return held.size();
    }

    public synchronized int waitingFetches() {
        return fetches.size();
    }

    public synchronized int cancelledFetches() {
        return cancelled;
    }

    /** Batches handed over so far. */
    public synchronized int produced() {
        return produced;
    }

    public int pagesInUse() {
        return pagesInUse.get();
    }

    public synchronized List<PartitionFetch> lastFetch() {
        return lastFetch;
    }

    public synchronized FetchLimits lastLimits() {
        if (lastLimits == null) {
            throw new IllegalStateException("nothing was fetched yet");
        }
        return lastLimits;
    }

    @Override
    public synchronized ClusterImage image() {
        return image;
    }

    @Override
    public int nodeId() {
        return FakeImage.NODE_ID;
    }

    @Override
    public void produce(
            UUID topicId,
            int index,
            ByteBuffer records,
            Optional<TransactionalProducer> producer,
            ProduceListener listener) {
        synchronized (this) {
            produced++;
            if (holding) {
                held.add(() -> append(topicId, index, records, listener));
                return;
            }
        }
        append(topicId, index, records, listener);
    }

    private void append(UUID topicId, int index, ByteBuffer records, ProduceListener listener) {
        if (records.remaining() < 61) {
            listener.copied();
            listener.done(ProduceResult.failed(Errors.CORRUPT_MESSAGE, "no batch"));
            return;
        }
        long base;
        List<Runnable> answers = new ArrayList<>();
        synchronized (this) {
            base = partition(topicId, index).append(records);
            fetches.removeIf(fetch -> {
                List<FetchedPartition> results = results(fetch);
                boolean enough = bytes(results) >= fetch.limits.minBytes();
                if (enough) {
                    answers.add(() -> fetch.answer.accept(results));
                } else {
                    results.forEach(result -> result.records().release());
                }
                return enough;
            });
        }
        listener.copied();
        listener.done(new ProduceResult(Errors.NONE, base, -1, 0, ""));
        answers.forEach(Runnable::run);
    }

    private FakePartition partition(UUID topicId, int index) {
        return partitions.computeIfAbsent(new Key(topicId, index), key -> new FakePartition());
    }

    @Override
    public FetchCall fetch(List<PartitionFetch> asked, FetchLimits limits, Consumer<List<FetchedPartition>> answer) {
        Waiting fetch = new Waiting(asked, limits, answer);
        List<FetchedPartition> results;
        synchronized (this) {
            lastFetch = asked;
            lastLimits = limits;
            results = results(fetch);
            boolean failed = results.stream().anyMatch(result -> result.error() != Errors.NONE);
            if (bytes(results) < limits.minBytes() && limits.maxWaitMs() > 0 && !failed) {
                results.forEach(result -> result.records().release());
                fetches.add(fetch);
                return () -> cancel(fetch);
            }
        }
        answer.accept(results);
        return () -> {};
    }

    /** Answers all fetches that wait, with what there is: their time is up. */
    public void expireFetches() {
        List<Waiting> expired;
        synchronized (this) {
            expired = List.copyOf(fetches);
            fetches.clear();
        }
        for (Waiting fetch : expired) {
            List<FetchedPartition> results;
            synchronized (this) {
                results = results(fetch);
            }
            fetch.answer.accept(results);
        }
    }

    private synchronized void cancel(Waiting fetch) {
        if (fetches.remove(fetch)) {
            cancelled++;
        }
    }

    private static int bytes(List<FetchedPartition> results) {
        return results.stream().mapToInt(result -> result.records().sizeBytes()).sum();
    }

    private List<FetchedPartition> results(Waiting fetch) {
        List<FetchedPartition> results = new ArrayList<>();
        for (PartitionFetch asked : fetch.asked) {
            FakePartition partition = partition(asked.topicId(), asked.index());
            if (asked.fetchOffset() > partition.endOffset()) {
                results.add(FetchedPartition.failed(Errors.OFFSET_OUT_OF_RANGE));
                continue;
            }
            List<ByteBuffer> batches = partition.from(asked.fetchOffset(), asked.maxBytes());
            pagesInUse.addAndGet(batches.size());
            ByteRun run = FakePartition.run(batches, pagesInUse::decrementAndGet);
            results.add(new FetchedPartition(
                    Errors.NONE, partition.endOffset(), partition.endOffset(), 0, run, List.of(), -1, -1, -1));
        }
        return results;
    }

    @Override
    public synchronized CompletableFuture<ListedOffset> listOffset(
            UUID topicId, int index, long timestamp, boolean readCommitted, int currentLeaderEpoch) {
        long end = partition(topicId, index).endOffset();
        ListedOffset found = timestamp == -2
                ? new ListedOffset(Errors.NONE, -1, 0, FakeImage.EPOCH)
                : timestamp == -1
                        ? new ListedOffset(Errors.NONE, -1, end, FakeImage.EPOCH)
                        : new ListedOffset(Errors.NONE, -1, -1, -1);
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public synchronized CompletableFuture<EpochEnd> endOfEpoch(
            UUID topicId, int index, int currentLeaderEpoch, int leaderEpoch) {
        return CompletableFuture.completedFuture(new EpochEnd(
                Errors.NONE, FakeImage.EPOCH, partition(topicId, index).endOffset()));
    }

    @Override
    public CompletableFuture<DeletedRecords> deleteRecords(UUID topicId, int index, long offset) {
        return CompletableFuture.completedFuture(new DeletedRecords(Errors.NONE, Math.max(0, offset)));
    }

    @Override
    public synchronized CompletableFuture<List<PartitionSize>> sizes() {
        List<PartitionSize> sizes = new ArrayList<>();
        for (TopicImage topic : image.topics()) {
            for (PartitionImage partition : topic.partitions()) {
                sizes.add(new PartitionSize(topic.id(), partition.index(), 42));
            }
        }
        return CompletableFuture.completedFuture(sizes);
    }

    @Override
    public CompletableFuture<StoreVolume> volume() {
        return CompletableFuture.completedFuture(new StoreVolume(4_000, 1_000));
    }

    @Override
    public Admin admin() {
        return admin;
    }

    @Override
    public boolean mayServe() {
        return true;
    }

    @Override
    public GroupCoordinator groups() {
        return groups;
    }
}
