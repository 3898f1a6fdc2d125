package io.forebay.sim.world;

import io.forebay.cluster.control.Asker;
import io.forebay.cluster.control.Peers;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Standing;
import io.forebay.model.Loop;
import io.forebay.testkit.SimulatedProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The network between nodes' control ports: delays messages, loses some, brings some twice, and can be cut in either direction. A node's address reaches the newest
 * life of that node. Owned by the simulation's thread.
 */
public final class SimulatedNetwork {

    private static final int LATE_MS = 20_000;

    private final World world;
    private final RandomGenerator random;
    private final Map<String, SimulatedNode> listening = new HashMap<>();
    private final Set<Cut> cuts = new HashSet<>();
    private int lossPercent;

    /** One direction between two nodes. */
    private record Cut(int from, int to) {}

    /** What questions of one process to another one come over. */
    private final class Connection {
        private final int from;
        private final int to;
        private final Loop port;
        private final Asker asker = new Asker();

        Connection(int from, int to, Loop port) {
            this.from = from;
            this.to = to;
            this.port = port;
        }

        void close() {
            carry(from, to, () -> port.execute(asker::hasGone));
        }
    }

    SimulatedNetwork(World world, RandomGenerator random) {
        this.world = world;
        this.random = random;
    }

    static String address(int nodeId) {
        return "node-" + nodeId + ":1";
    }

    void listens(SimulatedNode node) {
        listening.put(address(node.nodeId()), node);
    }

    /** Loses everything that one node sends to the other. */
    void cut(int from, int to) {
        cuts.add(new Cut(from, to));
    }

    /** Loses this part of all messages. */
    void lose(int percent) {
        lossPercent = percent;
    }

    /** No faults but delay. */
    void heal() {
        cuts.clear();
        lossPercent = 0;
    }

    /** The way from a node to all others. */
    Peers peers(int from, SimulatedProcess process) {
        Loop loop = process.loop("peers");
        Map<SimulatedNode, Connection> connections = new LinkedHashMap<>();
        // The system of a dead process closes its connections.
        process.whenKilled(() -> List.copyOf(connections.values()).forEach(Connection::close));
        return (address, request, timeoutMs) -> {
            CompletableFuture<ControlReply> reply = new CompletableFuture<>();
            var unused = loop.schedule(
                    () -> reply.completeExceptionally(new UnansweredException(
                            "no answer from " + address + " within " + timeoutMs + " ms", true)),
                    timeoutMs);
            loop.execute(() ->
                    send(from, address, request, connections, answer -> loop.execute(() -> answer.accept(reply))));
            return reply;
        };
    }

    private void send(
            int from,
            String address,
            ControlRequest request,
            Map<SimulatedNode, Connection> connections,
            Consumer<Consumer<CompletableFuture<ControlReply>>> back) {
        SimulatedNode target = listening.get(address);
        int to = target == null ? 0 : target.nodeId();
        carry(from, to, () -> {
            SimulatedNode node = listening.get(address);
            if (node == null || node.process().dead()) {
                carry(
                        to,
                        from,
                        () -> back.accept(reply -> reply.completeExceptionally(
                                new UnansweredException("nobody listens at " + address, false))));
                return;
            }
            Loop port = node.process().loop("control-port");
            port.execute(() -> {
                Connection connection = connections.computeIfAbsent(node, other -> new Connection(from, to, port));
                CompletableFuture<ControlReply> answered =
                        node.sessions().leadership().answer(request, connection.asker);
                if (lossPercent > 0 && random.nextInt(20) == 0) {
                    connections.remove(node, connection);
                    connection.close();
                    carry(
                            to,
                            from,
                            () -> back.accept(reply -> reply.completeExceptionally(
                                    new UnansweredException("the connection to " + address + " broke", true))));
                }
                var unused = answered.whenComplete((answer, failure) -> {
                    if (failure == null) {
                        if (answer.getStanding() == Standing.LEADS) {
                            world.witness().leads(node, answer.getTerm());
                        }
                        carry(to, from, () -> back.accept(reply -> reply.complete(answer)));
                    }
                });
            });
        });
    }

    private void carry(int from, int to, Runnable arrival) {
        if (cuts.contains(new Cut(from, to)) || random.nextInt(100) < lossPercent) {
            return;
        }
        int copies = lossPercent > 0 && random.nextInt(20) == 0 ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            boolean late = lossPercent > 0 && random.nextInt(50) == 0;
            long delay = World.networkNanos(random) + (late ? random.nextInt(LATE_MS) * 1_000_000L : 0);
            world.simulation().after(delay, arrival);
        }
    }
}
