package io.forebay.sim.mutation;

import java.util.List;

/**
 * One safety rule broken in the source of the product.
 *
 * @param name what is broken
 * @param source file, from the repository's root
 * @param edits what is replaced by what; each text must stand in the file exactly once
 */
record Mutation(String name, String source, List<Edit> edits) {

    Mutation {
        edits = List.copyOf(edits);
    }

    /** One replacement. */
    record Edit(String correct, String broken) {}

    @Override
    public String toString() {
        return name;
    }
}
