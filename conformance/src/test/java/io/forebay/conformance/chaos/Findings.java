package io.forebay.conformance.chaos;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What is not as it was promised: how often, and the first examples of each kind. Thread-safe. */
final class Findings {

    private static final int EXAMPLES = 8;

    /** What can be wrong. */
    enum Kind {
        /** An acknowledged record is not there, or a group never saw a record that is there. */
        LOST,
        /** A record is there twice. */
        DUPLICATED,
        /** A producer's records of one partition are not in the order in which they were sent. */
        REORDERED,
        /** A record is not at the offset that was acknowledged, changed, or an offset leads nowhere. */
        INCONSISTENT,
        /** A group's committed offset went back. */
        WENT_BACK,
        /** An object is still there that nobody needs. */
        LEAKED,
        /** Something ended or failed that should have gone on. */
        FAILED
    }

    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    private final List<String> examples = new ArrayList<>();

    synchronized void add(Kind kind, String what) {
        int count = counts.merge(kind, 1, Integer::sum);
        if (count <= EXAMPLES) {
            examples.add(kind + ": " + what);
        }
    }

    synchronized int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    synchronized boolean isEmpty() {
        return counts.isEmpty();
    }

    /** The first examples, one a line. */
    synchronized String examples() {
        return examples.stream().collect(Collectors.joining("\n"));
    }
}
