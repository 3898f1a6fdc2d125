package io.forebay.bench.row;

import java.util.List;

/**
 * The sites of one row. Closing closes each of them.
 *
 * @param all in the order of the command line
 */
record Sites(List<Site> all) implements AutoCloseable {
    Sites {
        all = List.copyOf(all);
    }

    /** The sites in the order of their turns in a round. */
    List<Site> turn(int round) {
        return Turns.of(all, round);
    }

    @Override
    public void close() {
        all.forEach(Site::close);
    }
}
