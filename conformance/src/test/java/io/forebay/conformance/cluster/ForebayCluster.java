package io.forebay.conformance.cluster;

import io.forebay.conformance.harness.ForebayProcess;
import io.forebay.conformance.stores.StoreUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;

/**
 * Forebay nodes as processes over one store, numbered from 1; each keeps its id, ports and log file over its lives. Used by
 * one thread.
 */
public final class ForebayCluster implements AutoCloseable {

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final int ANSWER_LIMIT_MS = 5_000;

    private final List<ForebayProcess> nodes = new ArrayList<>();
    private int refusedStarts;

    /**
     * Stopped nodes.
     *
     * @param name names the logs
     * @param settings of every node, on top of those that it needs for the store and for the others
     */
    public ForebayCluster(String name, int count, StoreUnderTest store, Map<String, String> settings) {
        for (int id = 1; id <= count; id++) {
            Map<String, String> all = new LinkedHashMap<>(settings);
            all.putAll(store.settings());
            all.putAll(NodeSettings.of(id, count));
            nodes.add(new ForebayProcess(
                    name + "-node-" + id, store.uri(), all, List.of("-Xmx256m"), store.environment()));
        }
    }

    /** Starts all nodes at once; returns when all are ready. */
    public void startAll() {
        nodes.forEach(ForebayProcess::begin);
        for (int id = 1; id <= size(); id++) {
            awaitReady(id);
        }
    }

    /** The number of nodes, dead ones included. */
    public int size() {
        return nodes.size();
    }

    /** Bootstrap servers: all nodes. */
    public String bootstrap() {
        return nodes.stream().map(ForebayProcess::bootstrap).collect(Collectors.joining(","));
    }

    /** Starts node {@code id}; returns at once. */
    public void start(int id) {
        node(id).begin();
    }

    /**
     * Waits until node {@code id} is ready. A node that ends instead is started again, as a supervisor would: a store that is
     * away makes it refuse.
     *
     * @throws AssertionError if it is not ready after a minute
     */
    public void awaitReady(int id) {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (true) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            OptionalInt ended = node(id).awaitReady(Duration.ofMillis(Math.max(1, leftMs)));
            if (ended.isEmpty()) {
                return;
            }
            refusedStarts++;
            node(id).begin();
        }
    }

    /** How many starts ended by themselves before the node was ready. */
    public int refusedStarts() {
        return refusedStarts;
    }

    /** Ids of the nodes that do not run, although nobody ended them. */
    public List<Integer> dead() {
        return IntStream.rangeClosed(1, size())
                .filter(id -> !node(id).running())
                .boxed()
                .toList();
    }

    /** kill -9. */
    public void kill9(int id) {
        node(id).kill();
    }

    /** SIGTERM; returns its exit code when it has ended. */
    public int sigterm(int id) {
        return node(id).stop();
    }

    /** SIGSTOP. */
    public void pause(int id) {
        node(id).pause();
    }

    /** SIGCONT. */
    public void resume(int id) {
        node(id).resume();
    }

    /** The node that is the controller now, as Kafka's admin client is told; empty if nobody answers within seconds. */
    public OptionalInt controller() {
        try (Admin admin = admin()) {
            int id = admin.describeCluster()
                    .controller()
                    .get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS)
                    .id();
            return id >= 1 && id <= size() ? OptionalInt.of(id) : OptionalInt.empty();
        } catch (ExecutionException | TimeoutException | KafkaException nobody) {
            return OptionalInt.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** An admin client that knows all nodes; the caller closes it. */
    public Admin admin() {
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap(),
                AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                200));
    }

    private ForebayProcess node(int id) {
        return nodes.get(id - 1);
    }

    /** The ends of all nodes' logs, for a failure's message. */
    public String logTail() {
        return nodes.stream().map(ForebayProcess::logTail).collect(Collectors.joining("\n"));
    }

    /** Ends all nodes, hard if they do not end by themselves. */
    @Override
    public void close() {
        nodes.forEach(ForebayProcess::close);
    }
}
