package io.forebay.sim.world;

import io.forebay.cluster.control.Asker;
import io.forebay.cluster.image.ShardImage;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.MoveShardCommand;
import io.forebay.formats.control.Submit;
import io.forebay.testkit.StoreFaults;
import io.forebay.testkit.StoreOperation;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does bad things to the nodes, their network and their store at random times until it is told to stop: crashes, loss of power, pauses with a
 * replacement meanwhile, orderly stops, rolling restarts, nodes replaced by others, shard moves, network cuts, wall clocks that jump, store faults and stalls, and a store that only
 * some can reach. It also strikes nodes at their worst moments: between a request to the store and its answer. Each seed draws which of them there are, and may have a favourite.
 */
public final class Nemesis {

    private static final Logger LOG = LoggerFactory.getLogger(Nemesis.class);

    private static final int ACTIONS = 19;
    private static final int LONG_PAUSE_MS = 20_000;
    /** Requests after which it is worst to die or to stand still. */
    private static final List<Request> HALTS = List.of(
            new Request(StoreOperation.PUT, "root/term/"),
            new Request(StoreOperation.PUT, "root/term/"),
            new Request(StoreOperation.PUT, "root/journal/"),
            new Request(StoreOperation.APPEND, "root/journal/"),
            new Request(StoreOperation.CREATE, "journal/"),
            new Request(StoreOperation.APPEND, "journal/"),
            new Request(StoreOperation.PUT, "journal/"),
            new Request(StoreOperation.SEAL, "journal/"),
            new Request(StoreOperation.READ, "journal/"),
            new Request(StoreOperation.DELETE, "journal/"),
            new Request(StoreOperation.READ, "shard/"),
            new Request(StoreOperation.PUT, "shard/"));

    private static final long CLOCK_JUMP_MS = 3 * 3_600_000L;

    private final World world;
    private final RandomGenerator random;
    private final boolean crashes;
    private final boolean powerLosses;
    private final boolean pauses;
    private final boolean stops;
    private final boolean moves;
    private final boolean cuts;
    private final boolean storeFaults;
    private final boolean storeCuts;
    private final boolean replacements;
    private final boolean clockJumps;
    private final boolean halts;
    /** What this seed does more often than all else; −1: nothing. */
    private final int favourite;

    private boolean rolling;
    private boolean stopped;

    /** A kind of request to the store. */
    private record Request(StoreOperation operation, String prefix) {}

    public Nemesis(World world) {
        this.world = world;
        this.random = world.random("nemesis");
        this.crashes = random.nextInt(4) > 0;
        this.powerLosses = random.nextInt(3) == 0;
        this.pauses = random.nextInt(3) > 0;
        this.stops = random.nextInt(2) == 0;
        this.moves = random.nextInt(2) == 0;
        this.cuts = random.nextInt(2) == 0;
        this.storeFaults = random.nextInt(3) > 0;
        this.storeCuts = random.nextInt(2) == 0;
        this.replacements = random.nextInt(4) == 0;
        this.clockJumps = random.nextInt(3) == 0;
        this.halts = random.nextInt(2) == 0;
        this.favourite = random.nextBoolean() ? random.nextInt(ACTIONS) : -1;
    }

    /** Begins. */
    public void start() {
        later(random.nextInt(1_000), this::act);
    }

    /** Ends all faults: one life of each node is left running. */
    public void stop() {
        stopped = true;
        world.store().heal();
        world.store().faults(StoreFaults.NONE);
        world.network().heal();
        world.leaveOneLifeEach();
    }

    private void act() {
        if (stopped) {
            return;
        }
        switch (favourite >= 0 && random.nextInt(3) == 0 ? favourite : random.nextInt(ACTIONS)) {
            case 0 -> crash();
            case 1 -> powerLoss();
            case 2, 3 -> pause();
            case 4, 13, 14 -> faults();
            case 5 -> orderlyStop();
            case 6, 7 -> move();
            case 8 -> cut();
            case 9 -> cutFromStore();
            case 10 -> replace();
            case 11 -> rollingRestart();
            case 12 -> jumpClock();
            case 15, 16, 17 -> halt();
            default -> stall();
        }
        later(50 + random.nextInt(3_000), this::act);
    }

    private void crash() {
        if (crashes) {
            SimulatedNode node = world.anyNode(random);
            if (!node.process().dead()) {
                LOG.debug("nemesis: crash of {}", node.process());
                world.store().crash(node.process());
                restartLater(node);
            }
        }
    }

    private void powerLoss() {
        if (powerLosses) {
            LOG.debug("nemesis: loss of power");
            world.store().powerLoss();
            for (SimulatedNode life : world.lives()) {
                if (!life.process().dead()) {
                    life.process().kill();
                }
            }
            world.nodes().forEach(this::restartLater);
        }
    }

    /** Soon, or after the others have taken over. */
    private void restartLater(SimulatedNode dead) {
        later(random.nextInt(random.nextInt(3) == 0 ? 8_000 : 500), () -> {
            if (isNewest(dead)) {
                SimulatedNode unused = world.startNode(dead.nodeId());
            }
        });
    }

    private boolean isNewest(SimulatedNode node) {
        return world.nodes().contains(node);
    }

    /** A process that stands still; often another takes its place, and then it comes back. */
    private void pause() {
        SimulatedNode node = random.nextInt(3) == 0 ? leaderOrAny() : world.anyNode(random);
        if (pauses && !node.process().dead()) {
            pause(node);
        }
    }

    private SimulatedNode leaderOrAny() {
        return world.nodes().stream().filter(SimulatedNode::leads).findFirst().orElseGet(() -> world.anyNode(random));
    }

    private void pause(SimulatedNode node) {
        LOG.debug("nemesis: pause of {}", node.process());
        node.process().pause();
        if (random.nextInt(3) == 0) {
            later(random.nextInt(1_000), () -> {
                if (!stopped && isNewest(node)) {
                    SimulatedNode unused = world.startNode(node.nodeId());
                }
            });
        }
        later(100 + random.nextInt(random.nextInt(4) == 0 ? LONG_PAUSE_MS : 8_000), () -> {
            if (!node.process().dead()) {
                node.process().resume();
            }
        });
    }

    /** Whoever next asks the store for something of a certain kind dies, stands still or loses its network, between the request and its effect or between that and the answer. */
    private void halt() {
        if (!halts) {
            return;
        }
        Request request = HALTS.get(random.nextInt(HALTS.size()));
        int blow = random.nextInt(3);
        world.store().strikeNext(request.operation(), request.prefix(), random.nextBoolean(), struck -> {
            Optional<SimulatedNode> node = world.lives().stream()
                    .filter(life -> life.process() == struck && struck.running())
                    .findFirst();
            if (node.isEmpty() || stopped) {
                return;
            }
            if (blow == 0 && crashes) {
                LOG.debug("nemesis: {} dies at {}", struck, request);
                world.store().crash(struck);
                restartLater(node.get());
            } else if (blow == 1 && storeCuts) {
                isolate(node.get());
            } else {
                pause(node.get());
            }
        });
    }

    /** Gives its shards away, ends in good order, and comes back. */
    private void orderlyStop() {
        SimulatedNode node = world.anyNode(random);
        if (stops && !node.process().dead()) {
            stop(node);
        }
    }

    private void stop(SimulatedNode node) {
        LOG.debug("nemesis: stop of {}", node.process());
        node.process().loop("signal").execute(() -> {
            var unused = node.sessions()
                    .drain()
                    .thenCompose(drained -> node.sessions().close())
                    .whenComplete((closed, failure) -> world.simulation().after(0, () -> {
                        if (!node.process().dead()) {
                            world.store().crash(node.process());
                            restartLater(node);
                        }
                    }));
        });
    }

    /** An upgrade: one node after the other, each when the one before has had some time, ready or not. */
    private void rollingRestart() {
        if (stops && !rolling) {
            rolling = true;
            roll(world.nodes(), 0);
        }
    }

    private void roll(List<SimulatedNode> nodes, int next) {
        if (stopped || next == nodes.size()) {
            rolling = false;
            return;
        }
        SimulatedNode node = nodes.get(next);
        if (isNewest(node) && !node.process().dead()) {
            stop(node);
        }
        later(1_000 + random.nextInt(3_000), () -> roll(nodes, next + 1));
    }

    /** A machine is gone for good, another with a node id of its own takes its place, before or after. */
    private void replace() {
        if (replacements) {
            SimulatedNode gone = world.anyNode(random);
            LOG.debug("nemesis: {} is replaced", gone.process());
            boolean first = random.nextBoolean();
            if (first) {
                SimulatedNode unused = world.startNode(world.freshNodeId());
            }
            later(random.nextInt(3_000), () -> {
                if (!stopped && isNewest(gone)) {
                    if (!first) {
                        SimulatedNode unused = world.startNode(world.freshNodeId());
                    }
                    world.forget(gone.nodeId());
                }
            });
        }
    }

    /** A machine without network: it reaches neither the store nor other nodes. */
    private void isolate(SimulatedNode node) {
        LOG.debug("nemesis: {} is isolated", node.process());
        world.store().cutOff(node.process());
        for (SimulatedNode other : world.nodes()) {
            world.network().cut(node.nodeId(), other.nodeId());
            world.network().cut(other.nodeId(), node.nodeId());
        }
        later(random.nextInt(10_000), () -> {
            world.store().reconnect(node.process());
            world.network().heal();
        });
    }

    /** Some nodes cannot reach the store, the others can. */
    private void cutFromStore() {
        if (!storeCuts) {
            return;
        }
        for (SimulatedNode node : world.nodes()) {
            if (random.nextInt(world.nodes().size()) == 0) {
                LOG.debug("nemesis: {} is cut from the store", node.process());
                world.store().cutOff(node.process());
                later(random.nextInt(10_000), () -> world.store().reconnect(node.process()));
            }
        }
    }

    /** Up to three hours, in either direction. */
    private void jumpClock() {
        if (clockJumps) {
            world.anyNode(random).process().clock().jumpWall(random.nextLong(-CLOCK_JUMP_MS, CLOCK_JUMP_MS));
        }
    }

    /** An operator moves a shard. */
    private void move() {
        SimulatedNode asked = world.anyNode(random);
        List<ShardImage> shards = List.copyOf(asked.sessions().image().shards());
        if (!moves || shards.isEmpty() || asked.process().dead()) {
            return;
        }
        int shard = shards.get(random.nextInt(shards.size())).id().value();
        int to = world.anyNode(random).nodeId();
        LOG.debug("nemesis: move of shard {} to node {}", shard, to);
        ControlRequest request = ControlRequest.newBuilder()
                .setTerm(-1)
                .setSubmit(Submit.newBuilder()
                        .setCommand(ClusterCommand.newBuilder()
                                .setMoveShard(MoveShardCommand.newBuilder()
                                        .setShard(shard)
                                        .setToNode(to))))
                .build();
        for (SimulatedNode node : world.nodes()) {
            world.toNode(node, random, () -> {
                var unused = node.sessions().leadership().answer(request, new Asker());
            });
        }
    }

    private void cut() {
        if (!cuts || world.nodes().size() < 2) {
            return;
        }
        if (random.nextBoolean()) {
            world.network().lose(1 + random.nextInt(30));
        } else {
            int one = world.anyNode(random).nodeId();
            boolean bothWays = random.nextBoolean();
            boolean fromAll = random.nextInt(3) == 0;
            for (SimulatedNode other : world.nodes()) {
                if (fromAll || random.nextBoolean()) {
                    world.network().cut(one, other.nodeId());
                    if (bothWays) {
                        world.network().cut(other.nodeId(), one);
                    }
                }
            }
            LOG.debug("nemesis: node {} is cut off", one);
        }
        later(random.nextInt(8_000), world.network()::heal);
    }

    private void faults() {
        if (storeFaults) {
            world.store().faults(StoreFaults.swarm(random, random.nextInt(4) == 0 ? 0.2 : 0.03));
            later(random.nextInt(5_000), () -> world.store().faults(StoreFaults.NONE));
        }
    }

    private void stall() {
        if (storeFaults && random.nextInt(3) == 0) {
            world.store().stall(random.nextInt(5_000));
        }
    }

    private void later(int ms, Runnable action) {
        world.simulation().after(ms * 1_000_000L, action);
    }
}
