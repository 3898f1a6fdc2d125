package io.forebay.sim.workload;

import io.forebay.broker.partition.Partition;
import io.forebay.broker.partition.ProduceListener;
import io.forebay.broker.partition.ProduceResult;
import io.forebay.broker.partition.Verifier;
import io.forebay.model.Loop;
import io.forebay.sim.world.Connection;
import io.forebay.sim.world.SimulatedNode;
import io.forebay.sim.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.protocol.Errors;

/**
 * One producer of numbered records to one partition.
 *
 * <p>Idempotent: keeps up to five batches in flight, and sends everything from the first doubtful one on again until it is acknowledged, as Kafka's
 * producer does. At the end its numbers must be there once each, in order, without gaps. Not idempotent: sends each batch
 * once; at the end everything acknowledged must be at its offset, and nothing twice. What a node has acknowledged counts also if the client had given up by then.
 */
public final class ProducerWorkload implements Workload {

    private static final int IN_FLIGHT_MAX = 5;
    private static final int PAUSE_MAX_MS = 60;
    private static final int SLOW_PAUSE_MAX_MS = 1_000;
    private static final int TIMEOUT_MS = 3_000;

    private final World world;
    private final RandomGenerator random;
    private final UUID topicId;
    private final int partition;
    private final int writer;
    private final boolean idempotent;
    private final int pauseMaxMs;
    private final PartitionReader reader;
    private final Loop loop;
    private final Deque<Batch> unacknowledged = new ArrayDeque<>();
    private final Map<Long, Long> acknowledged = new HashMap<>();
    /** The same, whether or not the client was still there to hear it. */
    private final Map<Long, Long> told = new HashMap<>();

    private long nextNumber;
    private int nextSequence;
    private Connection connection;
    private boolean stopped;
    private int sending;

    /** One batch of the producer, until it is acknowledged. */
    private static final class Batch {
        private final long firstNumber;
        private final int count;
        private final int sequence;
        private int attempt;
        private boolean inFlight;

        Batch(long firstNumber, int count, int sequence) {
            this.firstNumber = firstNumber;
            this.count = count;
            this.sequence = sequence;
        }
    }

    /**
     * Prepares a producer.
     *
     * @param writer names it, and is its producer id if it is idempotent
     */
    public ProducerWorkload(World world, UUID topicId, int partition, int writer, boolean idempotent) {
        this(world, topicId, partition, writer, idempotent, PAUSE_MAX_MS);
    }

    private ProducerWorkload(World world, UUID topicId, int partition, int writer, boolean idempotent, int pauseMaxMs) {
        this.pauseMaxMs = pauseMaxMs;
        this.world = world;
        this.random = world.random("producer-" + writer);
        this.topicId = topicId;
        this.partition = partition;
        this.writer = writer;
        this.idempotent = idempotent;
        this.reader = new PartitionReader(world, topicId, partition);
        this.loop = world.clients().loop("client");
        this.connection = world.connect(topicId, partition, random);
    }

    /** An idempotent producer that writes about four batches each second. */
    public static ProducerWorkload slow(World world, UUID topicId, int partition, int writer) {
        return new ProducerWorkload(world, topicId, partition, writer, true, SLOW_PAUSE_MAX_MS);
    }

    @Override
    public void start() {
        act();
    }

    @Override
    public void stop() {
        stopped = true;
    }

    @Override
    public boolean settled() {
        return unacknowledged.isEmpty() && sending == 0;
    }

    private void act() {
        if (!stopped) {
            int batches = 1 + random.nextInt(3);
            for (int i = 0; i < batches && unacknowledged.size() < inFlightMax(); i++) {
                int count = 1 + random.nextInt(4);
                Batch batch = new Batch(nextNumber, count, nextSequence);
                nextNumber += count;
                nextSequence += count;
                unacknowledged.add(batch);
                if (!doubtful()) {
                    send(batch);
                }
            }
        }
        if (!stopped || !unacknowledged.isEmpty()) {
            var unused = loop.schedule(this::act, 1 + random.nextInt(pauseMaxMs));
        }
        resend();
    }

    /**
     * A partition takes any first sequence of a producer it does not know (as in Kafka), so until it knows this one, a refused first
     * batch must not be overtaken by the second.
     */
    private int inFlightMax() {
        return acknowledged.isEmpty() ? 1 : IN_FLIGHT_MAX;
    }

    /** Something before the newest failed: nothing new goes out until it is settled, or order would be lost. */
    private boolean doubtful() {
        for (Batch batch : unacknowledged) {
            if (batch.attempt > 0 && !batch.inFlight) {
                return true;
            }
        }
        return false;
    }

    /** When nothing is in flight any more, the first doubtful batch goes again; the others follow it one by one. */
    private void resend() {
        Batch first = unacknowledged.peek();
        if (first == null || unacknowledged.stream().anyMatch(batch -> batch.inFlight)) {
            return;
        }
        send(first);
    }

    private void send(Batch batch) {
        batch.inFlight = true;
        int attempt = ++batch.attempt;
        sending++;
        Connection used = connection;
        SimulatedNode node = used.node();
        ByteBuffer records =
                Batches.batch(writer, batch.firstNumber, batch.count, idempotent ? writer : -1, batch.sequence);
        used.send(() -> deliver(node, records, batch, result -> answered(batch, attempt, result)));
        var unused = loop.schedule(
                () -> {
                    sending--;
                    answered(batch, attempt, ProduceResult.failed(Errors.REQUEST_TIMED_OUT, ""));
                },
                TIMEOUT_MS);
    }

    private void deliver(
            SimulatedNode node, ByteBuffer records, Batch batch, java.util.function.Consumer<ProduceResult> answer) {
        Partition target = node.partition(topicId, partition);
        ProduceListener listener = new ProduceListener() {
            @Override
            public void copied() {
                // A spoilt buffer must not be seen by anybody any more.
                records.putInt(8, -1);
            }

            @Override
            public void done(ProduceResult result) {
                if (target != null && result.error() == Errors.NONE) {
                    int epoch = target.log().leaderEpoch();
                    world.witness().acknowledges(node, topicId, partition, epoch, result.baseOffset() + batch.count);
                    for (int i = 0; i < batch.count; i++) {
                        told.put(batch.firstNumber + i, result.baseOffset() + i);
                    }
                }
                world.toClients(random, () -> answer.accept(result));
            }
        };
        if (target == null) {
            listener.done(ProduceResult.failed(Errors.NOT_LEADER_OR_FOLLOWER, ""));
        } else {
            target.produce(records, Verifier.NOBODY, listener);
        }
    }

    private void answered(Batch batch, int attempt, ProduceResult result) {
        if (result.error() == Errors.NONE && unacknowledged.contains(batch)) {
            // An answer to an earlier attempt is as good.
            unacknowledged.remove(batch);
            for (int i = 0; i < batch.count; i++) {
                acknowledged.put(batch.firstNumber + i, result.baseOffset() + i);
            }
            return;
        }
        if (batch.attempt != attempt || !batch.inFlight) {
            return;
        }
        // One that fails takes the connection with it, and all that is in flight there becomes doubtful.
        connection.close();
        connection = world.connect(topicId, partition, random);
        for (Batch doubtful : List.copyOf(unacknowledged)) {
            doubtful.inFlight = false;
            if (!idempotent && doubtful.attempt > 0) {
                // Its outcome stays unknown: it is not sent again.
                unacknowledged.remove(doubtful);
            }
        }
    }

    @Override
    public void check() {
        List<Batches.Read> all = reader.readAll();
        Map<Long, Long> found = new HashMap<>();
        List<Long> order = new ArrayList<>();
        Set<Long> twice = new HashSet<>();
        for (Batches.Read read : all) {
            if (read.writer() == writer) {
                if (found.put(read.number(), read.offset()) != null) {
                    twice.add(read.number());
                }
                order.add(read.number());
            }
        }
        told.forEach((number, offset) -> {
            Long at = found.get(number);
            if (at == null) {
                throw new AssertionError(this + " lost record " + number + ", acknowledged at offset " + offset);
            }
            if (!at.equals(offset)) {
                throw new AssertionError(
                        this + ": record " + number + " was acknowledged at " + offset + " and lies at " + at);
            }
        });
        if (!twice.isEmpty()) {
            throw new AssertionError(this + " has records twice: " + twice);
        }
        if (idempotent) {
            for (int i = 0; i < order.size(); i++) {
                if (order.get(i) != i) {
                    throw new AssertionError(this + ": record " + order.get(i) + " is at place " + i);
                }
            }
        }
    }

    @Override
    public String toString() {
        return (idempotent ? "idempotent producer " : "producer ") + writer;
    }
}
