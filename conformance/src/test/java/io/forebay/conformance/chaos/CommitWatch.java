package io.forebay.conformance.chaos;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Asks twice a second for what the groups have committed: it never goes back. Runs on a thread of its own. */
final class CommitWatch {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long ANSWER_LIMIT_MS = 5_000;

    private final Admin admin;
    private final List<GroupProgress> groups;
    private final Thread thread = new Thread(this::run, "chaos-commit-watch");
    private volatile boolean ending;

    /** @param admin used until the end, closed by the caller */
    CommitWatch(Admin admin, List<GroupProgress> groups) {
        this.admin = admin;
        this.groups = groups;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void end() {
        ending = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void run() {
        while (!ending) {
            groups.forEach(this::look);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void look(GroupProgress group) {
        long[] atLeast = new long[group.partitions()];
        for (int i = 0; i < atLeast.length; i++) {
            atLeast[i] = group.committed(i);
        }
        try {
            Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets(group.group())
                    .partitionsToOffsetAndMetadata()
                    .get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
            for (int i = 0; i < atLeast.length; i++) {
                int partition = i;
                long offset = offsets.entrySet().stream()
                        .filter(entry -> entry.getKey().partition() == partition && entry.getValue() != null)
                        .mapToLong(entry -> entry.getValue().offset())
                        .findAny()
                        .orElse(-1);
                group.shown("the coordinator", partition, offset, atLeast[partition]);
            }
        } catch (ExecutionException | TimeoutException nobodyAnswers) {
            // it is asked again
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
