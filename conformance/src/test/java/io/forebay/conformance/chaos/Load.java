package io.forebay.conformance.chaos;

import io.forebay.conformance.cluster.ForebayCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Producers, and groups of both protocols, on one topic; and the check of what they saw. Owned by one thread. */
final class Load implements AutoCloseable {

    private static final String TOPIC = "chaos";
    private static final int PARTITIONS = 6;
    private static final int PRODUCERS = 3;
    private static final int PER_SECOND = 150;
    private static final int MEMBERS = 2;
    private static final List<String> PROTOCOLS = List.of("classic", "consumer");
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long CATCH_UP_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final ForebayCluster cluster;
    private final Findings findings;
    private final Places places;
    private final Waits waits = new Waits(PARTITIONS);
    private final Admin admin;
    private final List<NumberedProducer> producers = new ArrayList<>();
    private final List<GroupProgress> groups = new ArrayList<>();
    private final List<GroupMember> members = new ArrayList<>();
    private final CommitWatch watch;

    /** Nothing runs yet. */
    Load(ForebayCluster cluster, Findings findings) {
        this.cluster = cluster;
        this.findings = findings;
        this.places = new Places(PARTITIONS, findings);
        this.admin = cluster.admin();
        for (String protocol : PROTOCOLS) {
            GroupProgress group = new GroupProgress("chaos-" + protocol, PARTITIONS, findings);
            groups.add(group);
            for (int i = 1; i <= MEMBERS; i++) {
                members.add(new GroupMember(cluster.bootstrap(), TOPIC, protocol, i, places, group, findings));
            }
        }
        this.watch = new CommitWatch(admin, groups);
        for (int i = 0; i < PRODUCERS; i++) {
            producers.add(new NumberedProducer(cluster.bootstrap(), TOPIC, i, PER_SECOND, waits, findings));
        }
    }

    /** Makes topic and groups, and begins. */
    void start() throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> zero = new HashMap<>();
        for (int i = 0; i < PARTITIONS; i++) {
            zero.put(new TopicPartition(TOPIC, i), new OffsetAndMetadata(0));
        }
        try {
            admin.createTopics(List.of(new NewTopic(TOPIC, Optional.of(PARTITIONS), Optional.empty())))
                    .all()
                    .get();
            for (GroupProgress group : groups) {
                admin.alterConsumerGroupOffsets(group.group(), zero).all().get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError("cannot prepare the load", e.getCause());
        }
        members.forEach(GroupMember::start);
        producers.forEach(NumberedProducer::start);
        watch.start();
    }

    /**
     * Waits until every partition has acknowledged something that was sent from now on.
     *
     * @return the time that took, in milliseconds; −1 if it takes longer than {@code limitMs}
     */
    long awaitAcknowledgements(long limitMs) {
        long from = System.nanoTime();
        while (!waits.allSince(from)) {
            if (System.nanoTime() - from > TimeUnit.MILLISECONDS.toNanos(limitMs)) {
                return -1;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from);
    }

    Waits waits() {
        return waits;
    }

    int members() {
        return members.size();
    }

    void replaceMember(int index) {
        members.get(index).replace();
    }

    long acknowledged() {
        return producers.stream()
                .mapToLong(producer -> producer.sent().acknowledged())
                .sum();
    }

    /** Ends the load, reads everything back and adds to the findings what is wrong. */
    void finish() {
        producers.forEach(NumberedProducer::finish);
        List<SentRecords> sent = producers.stream().map(NumberedProducer::sent).toList();
        Comparison comparison = new Comparison(PARTITIONS, sent, places, findings);
        new Readback(TOPIC, PARTITIONS, sent, comparison, findings).run(cluster.bootstrap());
        groups.forEach(group -> catchUp(group, comparison));
        members.forEach(GroupMember::end);
        watch.end();
    }

    private void catchUp(GroupProgress group, Comparison comparison) {
        long deadline = System.nanoTime() + CATCH_UP_LIMIT_NANOS;
        for (int i = 0; i < PARTITIONS; i++) {
            long end = comparison.end(i);
            while (!group.complete(i, end) && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            if (!group.complete(i, end)) {
                findings.add(
                        Findings.Kind.LOST,
                        group.group() + " never saw " + group.unseen(i, end) + " records of partition " + i
                                + " below its end " + end + ", the first is " + group.firstUnseen(i));
            }
        }
    }

    @Override
    public void close() {
        admin.close();
    }
}
