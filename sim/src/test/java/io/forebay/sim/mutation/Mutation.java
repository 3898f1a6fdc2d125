package io.forebay.sim.mutation;

/**
 * One safety rule broken in the source of the product.
 *
 * @param name what is broken
 * @param source file, from the repository's root
 * @param edits what is replaced by what; each text must stand in the file exactly once
 */
record Mutation(String name, String source, Edit... edits) {

    /** One replacement. */
    record Edit(String correct, String broken) {}

    @Override
    public String toString() {
        return name;
    }
}
