package io.forebay.sim.mutation;

import java.util.List;

/**
 * One safety rule broken in the source of the product; everywhere, if several places keep it.
 *
 * @param name what is broken
 * @param edits what is replaced by what
 */
record Mutation(String name, List<Edit> edits) {

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
        return new Mutation(name, List.of(edits));
    }

    @Override
    public String toString() {
        return name;
    }
}
