package io.forebay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One seeded queue on which everything of a simulated world happens, one step at a time.
 *
 * <p>Kept true: a step is due at a time and runs when no earlier one is left; steps due at the same time run in an order
 * drawn from the seed ({@link TieBreak#SEEDED}) or in the order they were asked for; time moves only between steps;
 * tasks of one loop keep their order. The same seed and the same program give the same {@link #traceHash}.
 *
 * <p>Owned by the thread that calls {@link #runUntil} or {@link #runFor}.
 */
public final class Simulation {

    /** Which of several steps that are due at the same time comes first. */
    public enum TieBreak {
        /** Drawn from the seed: races are tried in many orders. */
        SEEDED,
        /** In the order in which they were asked for: easiest to follow. */
        ARRIVAL
    }

    /** A run that executes this many steps without time moving is taken for a live-lock. */
    private static final int MAX_STEPS_AT_ONE_TIME = 2_000_000;

    private static final long START_WALL_MS = 1_700_000_000_000L;

    private final long seed;
    private final TieBreak tieBreak;
    private final SplittableRandom chance;
    private final SplittableRandom order;
    private final PriorityQueue<Step> queue = new PriorityQueue<>();
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final SimulatedClock clock;
    private final SimulatedProcess harness;

    private long nowNanos;
    private long sequence;
    private long steps;
    private int stepsAtThisTime;
    private long traceHash = 0xcbf29ce484222325L;
    private @Nullable Throwable failure;

    public Simulation(long seed) {
        this(seed, TieBreak.SEEDED);
    }

    public Simulation(long seed, TieBreak tieBreak) {
        this.seed = seed;
        this.tieBreak = tieBreak;
        this.chance = new SplittableRandom(seed);
        this.order = chance.split();
        this.clock = new SimulatedClock(this);
        this.harness = new SimulatedProcess(this, "harness");
    }

    public long seed() {
        return seed;
    }

    /** The world's true time; {@link SimulatedProcess#clock} gives a process one that may jump. */
    public SimulatedClock clock() {
        return clock;
    }

    /** Chance for whoever builds the scenario. Drawing from it changes everything that is drawn later. */
    public RandomGenerator random() {
        return chance;
    }

    /** Chance of its own for one part of the world: drawing from it leaves the others' draws alone. */
    public RandomGenerator random(String purpose) {
        return new SplittableRandom(seed ^ mix(purpose.hashCode() * 0x9e3779b97f4a7c15L));
    }

    /** One life of a process: its loops die, stop and go on together. Names may repeat (a restart). */
    public SimulatedProcess process(String name) {
        SimulatedProcess process = new SimulatedProcess(this, name);
        processes.add(process);
        return process;
    }

    /** A loop of the harness itself, which is never killed or paused. */
    public SimulatedLoop loop(String name) {
        return harness.loop(name);
    }

    /** Runs {@code action} {@code delayNanos} from now, whatever happens to any process. */
    public void after(long delayNanos, Runnable action) {
        queue.add(new Step(nowNanos + Math.max(0, delayNanos), nextTie(), sequence++, action));
    }

    /** Lets {@code ms} milliseconds pass and runs all that is due within. */
    public void runFor(long ms) {
        boolean unused = runTo(nowNanos + ms * 1_000_000L, () -> false);
    }

    /**
     * Runs until the condition holds, asking after each step, or until {@code limitMs} have passed.
     *
     * @return whether the condition holds
     */
    public boolean runUntil(BooleanSupplier condition, long limitMs) {
        return runTo(nowNanos + limitMs * 1_000_000L, condition);
    }

    /** Runs one step if there is any. */
    public boolean step() {
        Step step = queue.poll();
        if (step == null) {
            return false;
        }
        execute(step);
        return true;
    }

    /** Steps run so far. */
    public long steps() {
        return steps;
    }

    /** A number that two runs share if they did the same things at the same times in the same order. */
    public long traceHash() {
        return traceHash;
    }

    /** Mixes something a scenario observed into the {@link #traceHash}. */
    public void trace(long observed) {
        traceHash = mix(traceHash * 0x100000001b3L ^ observed);
    }

    /** Makes the run fail at the end of this step; the first failure wins. */
    public void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    long nowNanos() {
        return nowNanos;
    }

    long startWallMs() {
        return START_WALL_MS;
    }

    private boolean runTo(long limitNanos, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Step step = queue.peek();
            if (step == null || step.atNanos > limitNanos) {
                nowNanos = Math.max(nowNanos, limitNanos);
                return condition.getAsBoolean();
            }
            execute(Objects.requireNonNull(queue.poll()));
        }
        return true;
    }

    private void execute(Step step) {
        if (step.atNanos > nowNanos) {
            nowNanos = step.atNanos;
            stepsAtThisTime = 0;
        } else if (++stepsAtThisTime > MAX_STEPS_AT_ONE_TIME) {
            throw new AssertionError(
                    "seed " + seed + ": " + stepsAtThisTime + " steps at " + nowNanos + " ns, time does not move");
        }
        steps++;
        trace(step.atNanos * 31 + step.sequence);
        try {
            step.action.run();
        } catch (Throwable thrown) {
            fail(thrown);
        }
        Throwable failed = failure;
        if (failed != null) {
            failure = null;
            throw new AssertionError(
                    "seed " + seed + ", step " + steps + ", " + nowNanos / 1_000_000 + " ms: " + failed, failed);
        }
    }

    private long nextTie() {
        return tieBreak == TieBreak.SEEDED ? order.nextLong() : 0;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xff51afd7ed558ccdL;
        return mixed ^ (mixed >>> 33);
    }

    private record Step(long atNanos, long tie, long sequence, Runnable action) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            if (byTime != 0) {
                return byTime;
            }
            int byTie = Long.compare(tie, other.tie);
            return byTie != 0 ? byTie : Long.compare(sequence, other.sequence);
        }
    }
}
