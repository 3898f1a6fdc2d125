package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {

    private static final ObjectKey KEY = ObjectKey.of("j/0");
    private static final ObjectKey NEXT = ObjectKey.of("j/1");

    @Test
    void healthyStoreAnswersLaterAndKeepsItsPromises() {
        Simulation simulation = new Simulation(1);
        Store store = new FaultyStore(simulation).handle("n1");

        CompletableFuture<PutOutcome> put = store.putIfAbsent(KEY, bytes("abc"));
        assertThat(put).isNotDone();
        assertThat(get(simulation, put)).isEqualTo(PutOutcome.WRITTEN);
        assertThat(get(simulation, store.putIfAbsent(KEY, bytes("x")))).isEqualTo(PutOutcome.ALREADY_EXISTS);
        ByteBuffer read = ByteBuffer.allocate(10);
        assertThat(get(simulation, store.read(KEY, 1, read))).isEqualTo(2);
        assertThat(get(simulation, store.list("", "", 10))).hasSize(1);
        assertThat(get(simulation, store.seal(KEY))).isEqualTo(3);
        var unused = get(simulation, store.delete(KEY).thenApply(v -> "done"));
        assertThat(get(simulation, store.list("", "", 10))).isEmpty();
        assertThat(failure(simulation, store.read(KEY, 0, read))).isEqualTo(StoreException.Kind.NOT_FOUND);
    }

    /** Whatever happens between the steps of writer and fencer, an acknowledged byte is inside the end. */
    @SeededTest(fixed = 60, fresh = 20)
    void fencingKeepsWhatWasAcknowledged(long seed) {
        Simulation simulation = new Simulation(seed);
        FaultyStore faulty = new FaultyStore(simulation);
        SimulatedProcess writer = simulation.process("writer");
        Store writing = faulty.handle(writer);
        Store fencing = faulty.handle("fencer");
        Appender appender = create(simulation, writing);
        List<Long> acked = new ArrayList<>();
        List<AppendOutcome> last = new ArrayList<>();
        appendOn(appender, 0, acked, last);

        simulation.runFor(simulation.random().nextInt(20));
        if (simulation.random().nextBoolean()) {
            writer.pause();
        }
        assertThat(get(simulation, fencing.putIfAbsent(NEXT, bytes("tombstone"))))
                .isEqualTo(PutOutcome.WRITTEN);
        CompletableFuture<Long> one = fencing.seal(KEY);
        CompletableFuture<Long> two = faulty.handle("other").seal(KEY);
        long end = get(simulation, one);
        assertThat(get(simulation, two)).isEqualTo(end);
        writer.resume();
        assertThat(simulation.runUntil(() -> !last.isEmpty(), 60_000)).isTrue();

        assertThat(last).containsExactly(new AppendOutcome.Fenced());
        if (!acked.isEmpty()) {
            assertThat(end).isGreaterThanOrEqualTo(acked.get(acked.size() - 1));
        }
        assertThat(faulty.snapshot().get(KEY)).hasSize((int) end);
        assertThat(get(simulation, fencing.seal(KEY))).isEqualTo(end);
        assertThat(faulty.durableBytes(KEY)).isEqualTo(end);
    }

    @SeededTest(fixed = 40, fresh = 10)
    void powerLossKeepsWhatWasAcknowledged(long seed) {
        Simulation simulation = new Simulation(seed);
        FaultyStore faulty = new FaultyStore(simulation);
        SimulatedProcess writer = simulation.process("writer");
        Store store = faulty.handle(writer);
        Appender appender = create(simulation, store);
        List<Long> acked = new ArrayList<>();
        appendOn(appender, 0, acked, new ArrayList<>());
        List<ObjectKey> put = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ObjectKey key = ObjectKey.of("p/" + i);
            var unused = store.putIfAbsent(key, bytes("content")).thenAccept(outcome -> put.add(key));
        }
        simulation.runFor(simulation.random().nextInt(10));

        if (simulation.random().nextBoolean()) {
            faulty.powerLoss();
        } else {
            faulty.crash(writer);
        }
        simulation.runFor(10_000);

        assertThat(writer.dead()).isTrue();
        for (ObjectKey key : put) {
            assertThat(faulty.snapshot().get(key)).isEqualTo(bytes("content").array());
        }
        byte[] left = seen(faulty);
        long end = acked.isEmpty() ? 0 : acked.get(acked.size() - 1);
        assertThat(left.length).isGreaterThanOrEqualTo((int) end);
        for (int i = 0; i < end; i++) {
            assertThat(left[i]).isEqualTo((byte) (i / 10));
        }
    }

    @Test
    void unsyncedBytesAreLostTornSpoiledOrKept() {
        Set<String> seen = new HashSet<>();
        for (long seed = 0; seed < 300; seed++) {
            Simulation simulation = new Simulation(seed);
            FaultyStore faulty = new FaultyStore(simulation);
            Store store = faulty.handle("n1");
            Appender appender = create(simulation, store);
            assertThat(get(simulation, appender.append(List.of(bytes("acked")))))
                    .isEqualTo(new AppendOutcome.Durable(5));
            var unused = appender.append(List.of(bytes("0123456789")));
            assertThat(simulation.runUntil(() -> seen(faulty).length == 15, 1000))
                    .isTrue();
            assertThat(faulty.durableBytes(KEY)).isEqualTo(5);
            faulty.powerLoss();

            String left = new String(seen(faulty), StandardCharsets.ISO_8859_1);
            assertThat(left).startsWith("acked");
            seen.add(
                    left.equals("acked0123456789")
                            ? "kept"
                            : left.length() == 5 ? "lost" : left.length() < 15 ? "torn" : "spoiled");
        }
        assertThat(seen).containsExactlyInAnyOrder("kept", "lost", "torn", "spoiled");
    }

    @Test
    void timedOutPutMayHappenNowLaterOrNever() {
        for (StoreFault fault : List.of(StoreFault.TIMEOUT_DONE, StoreFault.TIMEOUT_LATER, StoreFault.TIMEOUT_NEVER)) {
            Set<String> answers = new HashSet<>();
            boolean late = false;
            for (long seed = 0; seed < 40; seed++) {
                Simulation simulation = new Simulation(seed);
                FaultyStore faulty = new FaultyStore(simulation);
                faulty.next(StoreOperation.PUT, key -> key.equals(KEY), fault);
                CompletableFuture<PutOutcome> put = faulty.handle("n1").putIfAbsent(KEY, bytes("abc"));
                assertThat(simulation.runUntil(put::isDone, 60_000)).isTrue();
                answers.add(put.isCompletedExceptionally() ? "failed" : String.valueOf(put.join()));
                boolean thereAtTheAnswer = faulty.snapshot().containsKey(KEY);
                simulation.runFor(200_000);
                boolean thereInTheEnd = faulty.snapshot().containsKey(KEY);
                late |= thereInTheEnd && !thereAtTheAnswer;
                assertThat(thereInTheEnd).isEqualTo(fault != StoreFault.TIMEOUT_NEVER);
                assertThat(thereAtTheAnswer || fault != StoreFault.TIMEOUT_DONE).isTrue();
            }
            assertThat(answers).containsExactlyInAnyOrder("OUTCOME_UNKNOWN", "failed");
            assertThat(late).isEqualTo(fault == StoreFault.TIMEOUT_LATER);
        }
    }

    @Test
    void lateAppendNeverShowsBehindTheSealedEnd() {
        for (long seed = 0; seed < 30; seed++) {
            Simulation simulation = new Simulation(seed);
            FaultyStore faulty = new FaultyStore(simulation);
            Store store = faulty.handle("n1");
            Appender appender = create(simulation, store);
            faulty.next(StoreOperation.APPEND, key -> true, StoreFault.TIMEOUT_LATER);
            assertThat(get(simulation, appender.append(List.of(bytes("late")))))
                    .isInstanceOf(AppendOutcome.Failed.class);
            assertThat(get(simulation, appender.append(List.of(bytes("more")))))
                    .isInstanceOf(AppendOutcome.Failed.class);
            assertThat(get(simulation, store.putIfAbsent(NEXT, bytes("t")))).isEqualTo(PutOutcome.WRITTEN);
            long end = get(simulation, store.seal(KEY));
            simulation.runFor(200_000);

            assertThat(faulty.snapshot().get(KEY)).hasSize((int) end);
            assertThat(end).isIn(0L, 4L);
        }
    }

    @Test
    void brokenAppendsEndTheWriter() {
        for (StoreFault fault : List.of(StoreFault.SHORT_WRITE, StoreFault.FAILED_SYNC, StoreFault.FULL)) {
            for (long seed = 0; seed < 30; seed++) {
                Simulation simulation = new Simulation(seed);
                FaultyStore faulty = new FaultyStore(simulation);
                Store store = faulty.handle("n1");
                Appender appender = create(simulation, store);
                assertThat(get(simulation, appender.append(List.of(bytes("acked")))))
                        .isEqualTo(new AppendOutcome.Durable(5));
                faulty.next(StoreOperation.APPEND, key -> true, fault);
                AppendOutcome failed = get(simulation, appender.append(List.of(bytes("broken"))));

                assertThat(failed).isInstanceOf(AppendOutcome.Failed.class);
                assertThat(((AppendOutcome.Failed) failed).cause().kind())
                        .isEqualTo(
                                fault == StoreFault.FULL ? StoreException.Kind.FULL : StoreException.Kind.UNAVAILABLE);
                assertThat(get(simulation, appender.append(List.of(bytes("again")))))
                        .isInstanceOf(AppendOutcome.Failed.class);
                assertThat(get(simulation, store.seal(KEY))).isBetween(5L, 11L);
                assertThat(faulty.injected()).containsEntry(fault, 1);
            }
        }
    }

    @Test
    void requestsOfAPausedProcessArriveAndAnswersWait() {
        Simulation simulation = new Simulation(1);
        FaultyStore faulty = new FaultyStore(simulation);
        SimulatedProcess process = simulation.process("n1");
        CompletableFuture<PutOutcome> put = faulty.handle(process).putIfAbsent(KEY, bytes("abc"));
        process.pause();
        simulation.runFor(10_000);

        assertThat(faulty.snapshot()).containsKey(KEY);
        assertThat(put).isNotDone();
        process.resume();
        assertThat(get(simulation, put)).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void requestsOfADeadProcessMayOrMayNotTakeEffect() {
        Set<Boolean> seen = new HashSet<>();
        for (long seed = 0; seed < 40; seed++) {
            Simulation simulation = new Simulation(seed);
            FaultyStore faulty = new FaultyStore(simulation);
            SimulatedProcess process = simulation.process("n1");
            CompletableFuture<PutOutcome> put = faulty.handle(process).putIfAbsent(KEY, bytes("abc"));
            faulty.crash(process);
            simulation.runFor(10_000);

            seen.add(faulty.snapshot().containsKey(KEY));
            assertThat(put).isNotDone();
        }
        assertThat(seen).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void cutOffProcessTimesOutUntilItIsReconnected() {
        Simulation simulation = new Simulation(1);
        FaultyStore faulty = new FaultyStore(simulation);
        SimulatedProcess process = simulation.process("n1");
        Store store = faulty.handle(process);
        faulty.cutOff(process);
        assertThat(failure(simulation, store.list("", "", 1))).isEqualTo(StoreException.Kind.UNAVAILABLE);
        assertThat(get(simulation, faulty.handle("n2").list("", "", 1))).isEmpty();

        faulty.reconnect(process);
        assertThat(get(simulation, store.list("", "", 1))).isEmpty();
    }

    @Test
    void stallHoldsEverythingForAWhile() {
        Simulation simulation = new Simulation(1);
        FaultyStore faulty = new FaultyStore(simulation);
        faulty.stall(3_000);
        CompletableFuture<PutOutcome> put = faulty.handle("n1").putIfAbsent(KEY, bytes("abc"));
        simulation.runFor(2_900);
        assertThat(put).isNotDone();
        assertThat(faulty.snapshot()).isEmpty();
        simulation.runFor(3_000);
        assertThat(put).isDone();
    }

    @Test
    void bufferThatChangesTooEarlyFailsTheRun() {
        Simulation simulation = new Simulation(1);
        Store store = new FaultyStore(simulation).handle("n1");
        ByteBuffer content = bytes("abc");
        var unused = store.putIfAbsent(KEY, content);
        content.put(0, (byte) 'X');

        assertThatThrownBy(() -> simulation.runFor(1_000)).hasMessageContaining("a buffer changed");
    }

    @Test
    void twoAppendsAtOnceFailTheRun() {
        Simulation simulation = new Simulation(1);
        Appender appender = create(simulation, new FaultyStore(simulation).handle("n1"));
        var one = appender.append(List.of(bytes("a")));
        var two = appender.append(List.of(bytes("b")));

        assertThatThrownBy(() -> simulation.runFor(1_000)).hasMessageContaining("two appends at once");
        assertThat(List.of(one, two)).hasSize(2);
    }

    @SeededTest(fixed = 10, fresh = 3)
    void swarmOfFaultsRunsTheSameWayTwice(long seed) {
        assertThat(swarm(seed, new HashSet<>())).isEqualTo(swarm(seed, new HashSet<>()));
    }

    @Test
    void swarmReachesEveryFault() {
        Set<StoreFault> reached = new HashSet<>();
        for (long seed = 0; seed < 40; seed++) {
            long hash = swarm(seed, reached);
            assertThat(hash).isNotZero();
        }
        assertThat(reached).containsExactlyInAnyOrderElementsOf(EnumSet.allOf(StoreFault.class));
    }

    private static long swarm(long seed, Set<StoreFault> reached) {
        Simulation simulation = new Simulation(seed);
        FaultyStore faulty = new FaultyStore(simulation);
        faulty.faults(StoreFaults.swarm(simulation.random(), 0.3));
        Store store = faulty.handle("n1");
        for (int i = 0; i < 50; i++) {
            ObjectKey key = ObjectKey.of("k/" + i);
            var put = store.putIfAbsent(key, bytes("content " + i));
            var list = store.list("k/", "", 10);
            var delete = store.delete(key);
            var create = store.createAppender(ObjectKey.of("a/" + i), ObjectKey.of("a/x"));
            var append = create.thenCompose(outcome -> outcome instanceof CreateOutcome.Created created
                    ? created.appender().append(List.of(bytes("x")))
                    : CompletableFuture.completedFuture(new AppendOutcome.Fenced()));
            assertThat(List.of(put, list, delete, append)).hasSize(4);
        }
        simulation.runFor(200_000);
        reached.addAll(faulty.injected().keySet());
        return simulation.traceHash();
    }

    private static byte[] seen(FaultyStore faulty) {
        return Objects.requireNonNull(faulty.snapshot().get(KEY));
    }

    /** Appends ten bytes n, then n+1 and so on, until something else than durable comes. */
    private static void appendOn(Appender appender, int n, List<Long> acked, List<AppendOutcome> last) {
        byte[] ten = new byte[10];
        java.util.Arrays.fill(ten, (byte) n);
        var unused = appender.append(List.of(ByteBuffer.wrap(ten))).thenAccept(outcome -> {
            if (outcome instanceof AppendOutcome.Durable durable) {
                acked.add(durable.endPosition());
                appendOn(appender, n + 1, acked, last);
            } else {
                last.add(outcome);
            }
        });
    }

    private static Appender create(Simulation simulation, Store store) {
        CreateOutcome outcome = get(simulation, store.createAppender(KEY, NEXT));
        assertThat(outcome).isInstanceOf(CreateOutcome.Created.class);
        return ((CreateOutcome.Created) outcome).appender();
    }

    private static <T> T get(Simulation simulation, CompletableFuture<T> future) {
        assertThat(simulation.runUntil(future::isDone, 600_000)).isTrue();
        return future.join();
    }

    private static StoreException.Kind failure(Simulation simulation, CompletableFuture<?> future) {
        assertThat(simulation.runUntil(future::isDone, 600_000)).isTrue();
        try {
            Object value = future.join();
            throw new AssertionError("expected a failure, got " + value);
        } catch (CompletionException failed) {
            assertThat(failed.getCause()).isInstanceOf(StoreException.class);
            return failed.getCause() instanceof StoreException known ? known.kind() : StoreException.Kind.CORRUPT;
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
