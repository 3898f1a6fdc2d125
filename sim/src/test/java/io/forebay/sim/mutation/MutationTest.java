package io.forebay.sim.mutation;

import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each broken safety rule is found by some seed; without the mutation the same seeds pass ({@code SeedsTest}). */
final class MutationTest {

    private static final int SEEDS = 150;
    private static final long CHAOS_MS = 30_000;

    @ParameterizedTest
    @MethodSource("io.forebay.sim.mutation.Mutations#all")
    void isCaught(Mutation mutation, @TempDir Path folder) throws Exception {
        try (MutantWorld world = MutantWorld.of(mutation, folder)) {
            for (long seed : seeds(mutation)) {
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

    private static long[] seeds(Mutation mutation) {
        return LongStream.concat(LongStream.of(mutation.likely()), LongStream.rangeClosed(1, SEEDS))
                .distinct()
                .toArray();
    }
}
