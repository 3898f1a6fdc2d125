package io.forebay.sim.mutation;

import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each broken safety rule is found by some seed; without the mutation the same seeds pass ({@code SeedsTest}). */
final class MutationTest {

    private static final int SEEDS = 150;
    private static final long CHAOS_MS = 30_000;

    static Stream<Mutation> mutations() {
        String journal = "log/src/main/java/io/forebay/log/journal/Journal.java";
        String told = "group.tell(entry -> entry.durable(entry.file, entry.bodyPosition));\n";
        return Stream.of(
                new Mutation(
                        "acknowledge before the flush",
                        journal,
                        List.of(
                                new Mutation.Edit("                " + told, ""),
                                new Mutation.Edit(
                                        "        state = State.APPENDING;\n        inFlight = group;\n",
                                        "        state = State.APPENDING;\n        inFlight = group;\n" + told))),
                new Mutation(
                        "tombstone after the seal",
                        "log/src/main/java/io/forebay/log/journal/LaneFence.java",
                        List.of(new Mutation.Edit(
                                "return numbers(new TreeSet<>(), \"\").thenComposeAsync(this::entomb, loop).",
                                "return numbers(new TreeSet<>(), \"\").thenComposeAsync(n -> n.isEmpty()"
                                        + " ? CompletableFuture.completedFuture(n)"
                                        + " : store.seal(path.file(n.last())).handle((end, failed) -> n), loop)"
                                        + ".thenComposeAsync(this::entomb, loop)."))),
                new Mutation(
                        "trust the length of a failed file",
                        journal,
                        List.of(
                                new Mutation.Edit("again = group;\n", "group.letGo();\n" + told),
                                new Mutation.Edit(
                                        "fileEnded(current, current.acknowledgedEnd());\n                openNext",
                                        "fileEnded(current, current.position());\n                openNext"))),
                new Mutation(
                        "begin a range behind frames that were not moved",
                        "log/src/main/java/io/forebay/log/shard/ShardFlush.java",
                        List.of(new Mutation.Edit(
                                "range.behind(from).ifPresent(rest::add);",
                                "range.behind(shard.endOfOwnFrames()).ifPresent(rest::add);"))),
                new Mutation(
                        "take a put of unknown outcome for done",
                        "log/src/main/java/io/forebay/log/journal/PutFlight.java",
                        List.of(new Mutation.Edit(
                                "if (answer == PutOutcome.WRITTEN) {",
                                "if (answer == PutOutcome.WRITTEN || answer == PutOutcome.OUTCOME_UNKNOWN) {"))),
                new Mutation(
                        "answer a duplicate of a pending batch at once",
                        "broker/src/main/java/io/forebay/broker/partition/Partition.java",
                        List.of(new Mutation.Edit(
                                "log.whenDurable(",
                                "((java.util.function.BiConsumer<Runnable,"
                                        + " java.util.function.Consumer<RuntimeException>>)"
                                        + " (now, never) -> now.run()).accept("))),
                new Mutation(
                        "tell a coordinator of a high watermark before the flush",
                        "broker/src/main/java/io/forebay/broker/groups/GroupLog.java",
                        List.of(new Mutation.Edit(
                                "end.complete(partition.appendOwn(own));",
                                "OptionalLong appended = partition.appendOwn(own);"
                                        + " appended.ifPresent(offset ->"
                                        + " listeners.keySet().forEach(l -> l.onHighWatermarkUpdated(key, offset)));"
                                        + " end.complete(appended);"))));
    }

    @ParameterizedTest
    @MethodSource("mutations")
    void isCaught(Mutation mutation, @TempDir Path folder) throws Exception {
        try (MutantWorld world = MutantWorld.of(mutation, folder)) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                Optional<Throwable> caught = world.run(seed, CHAOS_MS);
                if (caught.isPresent()) {
                    System.out.println("'" + mutation + "' is caught by seed " + seed + ": "
                            + String.valueOf(caught.get().getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse(""));
                    return;
                }
            }
        }
        fail("no seed of " + SEEDS + " noticed: " + mutation);
    }
}
