package io.forebay.server.cli.records;

import io.forebay.model.Clock;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ProgressLine;
import io.forebay.server.cli.terminal.StopRequest;
import io.forebay.server.cli.terminal.Surroundings;
import io.forebay.server.cli.terminal.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Reads and prints until there is a reason to stop.
 *
 * <p>Kept true: what a group commits has been printed and written out before; the end is the one each partition had
 * when reading began, so a busy topic does not keep the command for ever.
 *
 * <p>Owned by the command's thread; only a wakeup comes from elsewhere.
 */
final class ConsumeLoop {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration POSITION_WAIT = Duration.ofSeconds(5);
    private static final long COMMIT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PROGRESS_INTERVAL_MS = 500;

    /** Why reading stopped. */
    enum End {
        AT_END,
        ENOUGH,
        STOPPED,
        READER_GONE,
        TIMED_OUT
    }

    /**
     * @param max records to print at most
     * @param timeout how long to wait for a record
     */
    record Limits(boolean follow, Optional<Long> max, Optional<Duration> timeout) {}

    private final Console console;
    private final Clock clock;
    private final Consumer<byte[], byte[]> consumer;
    private final RecordFormat format;
    private final StopRequest stop;
    private final Limits limits;
    private final ProgressLine progress;
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private Map<TopicPartition, Long> ends = Map.of();
    private boolean commits;
    private long printed;
    private long lastCommitNanos;

    ConsumeLoop(
            Surroundings surroundings,
            Consumer<byte[], byte[]> consumer,
            RecordFormat format,
            StopRequest stop,
            Limits limits) {
        this.console = surroundings.console();
        this.clock = surroundings.clock();
        this.consumer = consumer;
        this.format = format;
        this.stop = stop;
        this.limits = limits;
        this.progress = new ProgressLine(console, clock, PROGRESS_INTERVAL_MS);
        this.lastCommitNanos = clock.nanos();
    }

    /** Reads these partitions from these offsets. */
    void startAt(Map<TopicPartition, Long> offsets) {
        consumer.assign(offsets.keySet());
        offsets.forEach(consumer::seek);
        ends = consumer.endOffsets(offsets.keySet());
    }

    /** Reads what the group gives to this member. */
    void joinGroup(String topic, Collection<TopicPartition> partitions) {
        commits = true;
        ends = consumer.endOffsets(partitions);
        consumer.subscribe(List.of(topic), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
                commit();
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
                // reading goes on where the group is
            }

            @Override
            public void onPartitionsLost(Collection<TopicPartition> lost) {
                lost.forEach(uncommitted::remove); // they belong to somebody else by now
            }
        });
    }

    /** Where each partition ended when reading began. */
    Map<TopicPartition, Long> ends() {
        return Map.copyOf(ends);
    }

    long printed() {
        return printed;
    }

    End run() {
        End end;
        try {
            end = read();
        } catch (WakeupException e) {
            end = End.STOPPED;
        }
        progress.clear();
        console.out().flush();
        if (!console.out().checkError()) {
            commit();
        }
        return end;
    }

    private End read() {
        long lastRecordNanos = clock.nanos();
        while (!stop.requested()) {
            if (!limits.follow() && isAtEnd()) {
                return End.AT_END;
            }
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            long now = clock.nanos();
            if (!records.isEmpty()) {
                lastRecordNanos = now;
                if (print(records)) {
                    return End.ENOUGH;
                }
                if (console.out().checkError()) { // writes the buffer out as well
                    return End.READER_GONE;
                }
            } else if (limits.timeout().isPresent()
                    && now - lastRecordNanos > limits.timeout().get().toNanos()) {
                return End.TIMED_OUT;
            }
            progress.tick(() -> Words.count(printed, "record"));
            if (now - lastCommitNanos > COMMIT_INTERVAL_NANOS) {
                commit();
            }
        }
        return End.STOPPED;
    }

    /** True if as many as were wanted have been printed. */
    private boolean print(ConsumerRecords<byte[], byte[]> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (limits.max().isPresent() && printed >= limits.max().get()) {
                return true;
            }
            boolean pastEnd = !limits.follow() && record.offset() >= endOf(record);
            if (pastEnd) {
                continue;
            }
            try {
                format.write(record, console.out());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            printed++;
            if (commits) {
                uncommitted.put(
                        new TopicPartition(record.topic(), record.partition()),
                        new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
            }
        }
        return limits.max().isPresent() && printed >= limits.max().get();
    }

    private long endOf(ConsumerRecord<byte[], byte[]> record) {
        return ends.getOrDefault(new TopicPartition(record.topic(), record.partition()), Long.MAX_VALUE);
    }

    private boolean isAtEnd() {
        Set<TopicPartition> assigned = consumer.assignment();
        if (assigned.isEmpty()) {
            return false;
        }
        for (TopicPartition partition : assigned) {
            long end = ends.getOrDefault(partition, 0L);
            try {
                if (end > 0 && consumer.position(partition, POSITION_WAIT) < end) {
                    return false;
                }
            } catch (TimeoutException e) {
                return false;
            } catch (IllegalStateException e) {
                return false; // taken away in the meantime
            }
        }
        return true;
    }

    private void commit() {
        lastCommitNanos = clock.nanos();
        if (commits && !uncommitted.isEmpty()) {
            console.out().flush();
            consumer.commitSync(uncommitted);
            uncommitted.clear();
        }
    }
}
