package io.forebay.bench.row;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Who comes when in a round. Pure. */
final class Turns {
    private Turns() {}

    /** The list rotated so that the first of one round is the last of the next. */
    static <T> List<T> of(List<T> all, int round) {
        List<T> turn = new ArrayList<>(all);
        Collections.rotate(turn, -round % Math.max(1, all.size()));
        return turn;
    }
}
