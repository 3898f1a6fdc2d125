package io.forebay.sim.world;

import io.forebay.testkit.StoreFaults;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does bad things to the node and its store at random times until it is told to stop: crashes, loss of power, pauses with a
 * replacement meanwhile, store faults, stalls and cuts. Each seed draws which of them there are.
 */
public final class Nemesis {

    private static final Logger LOG = LoggerFactory.getLogger(Nemesis.class);

    private final World world;
    private final RandomGenerator random;
    private final boolean crashes;
    private final boolean powerLosses;
    private final boolean pauses;
    private final boolean storeFaults;
    private boolean stopped;

    public Nemesis(World world) {
        this.world = world;
        this.random = world.random("nemesis");
        this.crashes = random.nextInt(4) > 0;
        this.powerLosses = random.nextInt(3) == 0;
        this.pauses = random.nextInt(3) > 0;
        this.storeFaults = random.nextInt(3) > 0;
    }

    /** Begins. */
    public void start() {
        later(random.nextInt(1_000), this::act);
    }

    /** Ends all faults: one life is left running. */
    public void stop() {
        stopped = true;
        world.store().heal();
        world.store().faults(StoreFaults.NONE);
        world.leaveOneLife();
    }

    private void act() {
        if (stopped) {
            return;
        }
        switch (random.nextInt(6)) {
            case 0 -> crash();
            case 1 -> powerLoss();
            case 2, 3 -> pause();
            case 4 -> faults();
            default -> stall();
        }
        later(50 + random.nextInt(3_000), this::act);
    }

    private void crash() {
        if (crashes) {
            LOG.debug("nemesis: crash of {}", world.node().process());
            world.store().crash(world.node().process());
            restartSoon();
        }
    }

    private void powerLoss() {
        if (powerLosses) {
            LOG.debug("nemesis: loss of power");
            world.store().powerLoss();
            for (SimulatedNode node : world.nodes()) {
                if (!node.process().dead()) {
                    node.process().kill();
                }
            }
            restartSoon();
        }
    }

    private void restartSoon() {
        SimulatedNode dead = world.node();
        later(random.nextInt(500), () -> {
            if (!stopped && world.node() == dead) {
                SimulatedNode unused = world.startNode();
            }
        });
    }

    /** A process that stands still; often another takes its place, and then it comes back. */
    private void pause() {
        SimulatedNode node = world.node();
        if (!pauses || node.process().dead()) {
            return;
        }
        LOG.debug("nemesis: pause of {}", node.process());
        node.process().pause();
        if (random.nextBoolean()) {
            later(random.nextInt(1_000), () -> {
                if (!stopped && world.node() == node) {
                    SimulatedNode unused = world.startNode();
                }
            });
        }
        later(100 + random.nextInt(8_000), () -> {
            if (!node.process().dead()) {
                node.process().resume();
            }
        });
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
