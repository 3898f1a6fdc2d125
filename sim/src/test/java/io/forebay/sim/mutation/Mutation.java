package io.forebay.sim.mutation;

import java.util.List;

/**
 * One safety rule broken in the source of the product; everywhere, if several places keep it.
 *
 * @param name what is broken
 * @param edits what is replaced by what
 * @param likely a seed that found it once: tried first, so that the test is fast
 */
record Mutation(String name, List<Edit> edits, long likely) {

    Mutation {
        edits = List.copyOf(edits);
    }

    /**
     * One replacement.
     *
     * @param source file, from the repository's root
     * @param correct must stand in the file exactly once
     */
    record Edit(String source, String correct, String broken) {}

    static Mutation of(String name, Edit... edits) {
        return new Mutation(name, List.of(edits), 1);
    }

    Mutation likely(long seed) {
        return new Mutation(name, edits, seed);
    }

    @Override
    public String toString() {
        return name;
    }
}
