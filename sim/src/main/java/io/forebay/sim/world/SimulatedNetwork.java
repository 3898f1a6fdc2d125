package io.forebay.sim.world;

import io.forebay.cluster.control.Peers;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Standing;
import io.forebay.model.Loop;
import io.forebay.testkit.SimulatedProcess;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
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
        Set<Runnable> connections = new LinkedHashSet<>();
        process.whenKilled(() -> List.copyOf(connections).forEach(Runnable::run));
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
            Set<Runnable> connections,
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
                CompletableFuture<ControlReply> answered =
                        node.sessions().leadership().answer(request);
                // The system of a dead process closes its connections.
                Runnable hangUp = () -> carry(
                        from,
                        to,
                        () -> port.execute(() -> {
                            boolean unused = answered.cancel(false);
                        }));
                connections.add(hangUp);
                if (lossPercent > 0 && random.nextInt(20) == 0) {
                    hangUp.run();
                    carry(
                            to,
                            from,
                            () -> back.accept(reply -> reply.completeExceptionally(
                                    new UnansweredException("the connection to " + address + " broke", true))));
                }
                var unused = answered.whenComplete((answer, failure) -> {
                    connections.remove(hangUp);
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
