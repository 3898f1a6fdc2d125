package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.model.Loop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimulationTest {

    @SeededTest(fixed = 5, fresh = 2)
    void sameSeedRunsTheSameWay(long seed) {
        assertThat(busyWorld(seed)).isEqualTo(busyWorld(seed));
        assertThat(busyWorld(seed)).isNotEqualTo(busyWorld(seed + 1));
    }

    @Test
    void tasksOfOneLoopKeepTheirOrderAndLoopsInterleave() {
        Set<List<String>> orders = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            Simulation simulation = new Simulation(seed);
            List<String> ran = new ArrayList<>();
            SimulatedLoop a = simulation.loop("a");
            SimulatedLoop b = simulation.loop("b");
            for (int i = 0; i < 3; i++) {
                int n = i;
                a.execute(() -> ran.add("a" + n));
                b.execute(() -> ran.add("b" + n));
            }
            simulation.runFor(1);

            assertThat(ran).filteredOn(s -> s.startsWith("a")).containsExactly("a0", "a1", "a2");
            assertThat(ran).filteredOn(s -> s.startsWith("b")).containsExactly("b0", "b1", "b2");
            orders.add(ran);
        }
        assertThat(orders).hasSizeGreaterThan(5);
    }

    @Test
    void arrivalOrderIsKeptWhenAskedFor() {
        Simulation simulation = new Simulation(3, Simulation.TieBreak.ARRIVAL);
        List<String> ran = new ArrayList<>();
        simulation.loop("a").execute(() -> ran.add("a"));
        simulation.loop("b").execute(() -> ran.add("b"));
        simulation.loop("c").execute(() -> ran.add("c"));
        simulation.runFor(0);

        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void timersRunWhenDueUnlessCancelled() {
        Simulation simulation = new Simulation(1);
        SimulatedLoop loop = simulation.loop("a");
        List<String> ran = new ArrayList<>();
        loop.schedule(() -> ran.add("late " + simulation.clock().nanos() / 1_000_000), 50);
        loop.schedule(() -> ran.add("early " + loop.inLoop()), 20);
        Loop.Cancellable off = loop.schedule(() -> ran.add("never"), 30);
        off.cancel();

        simulation.runFor(49);
        assertThat(ran).containsExactly("early true");
        assertThat(loop.inLoop()).isFalse();
        assertThat(simulation.runUntil(() -> ran.size() == 2, 100)).isTrue();
        assertThat(ran).containsExactly("early true", "late 50");
        assertThat(simulation.runUntil(() -> false, 1000)).isFalse();
        assertThat(simulation.clock().nanos()).isEqualTo(1_050_000_000L);
    }

    @Test
    void killedProcessForgetsItsTasks() {
        Simulation simulation = new Simulation(1);
        SimulatedProcess process = simulation.process("n1");
        SimulatedLoop loop = process.loop("a");
        List<String> ran = new ArrayList<>();
        process.whenKilled(() -> ran.add("killed"));
        loop.execute(() -> ran.add("queued"));
        loop.schedule(() -> ran.add("timer"), 10);
        process.kill();
        loop.execute(() -> ran.add("after"));
        simulation.runFor(100);

        assertThat(ran).containsExactly("killed");
    }

    @Test
    void pausedProcessRunsLaterAndLate() {
        Simulation simulation = new Simulation(1);
        SimulatedProcess process = simulation.process("n1");
        SimulatedLoop loop = process.loop("a");
        List<Long> ran = new ArrayList<>();
        loop.execute(() -> ran.add(simulation.clock().nanos()));
        loop.schedule(() -> ran.add(simulation.clock().nanos()), 5);
        process.pause();
        simulation.runFor(100);
        assertThat(ran).isEmpty();

        process.resume();
        simulation.runFor(1);
        assertThat(ran).containsExactly(100_000_000L, 100_000_000L);
    }

    @Test
    void failureInATaskNamesTheSeed() {
        Simulation simulation = new Simulation(4711);
        simulation.loop("a").execute(() -> {
            throw new IllegalStateException("broken");
        });

        assertThatThrownBy(() -> simulation.runFor(1))
                .hasMessageContaining("4711")
                .hasMessageContaining("broken");
    }

    @Test
    void replayLineNamesTestAndSeed() {
        assertThat(SeededTestExtension.replayLine(7, SimulationTest.class, "x"))
                .isEqualTo(
                        "replay: bin/test -Dsurefire.failIfNoSpecifiedTests=false -Dtest=SimulationTest#x -Dforebay.seed=7");
    }

    private static long busyWorld(long seed) {
        Simulation simulation = new Simulation(seed);
        List<SimulatedLoop> loops = List.of(simulation.loop("a"), simulation.loop("b"), simulation.loop("c"));
        for (int i = 0; i < 30; i++) {
            SimulatedLoop from = loops.get(i % 3);
            from.schedule(
                    () -> {
                        SimulatedLoop to = loops.get(simulation.random().nextInt(3));
                        to.schedule(
                                () -> simulation.trace(1), simulation.random().nextInt(5));
                    },
                    simulation.random().nextInt(10));
        }
        simulation.runFor(100);
        return simulation.traceHash();
    }
}
