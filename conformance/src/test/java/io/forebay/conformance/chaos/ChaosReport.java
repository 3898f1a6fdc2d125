package io.forebay.conformance.chaos;

/**
 * What came of a run.
 *
 * @param deeds how many faults there were
 * @param longestWaitMs longest time between sending a record and its acknowledgement
 * @param refusedStarts starts of a node that ended because the store was away
 * @param logs the ends of the nodes' logs, if anything was found
 */
record ChaosReport(
        ChaosRun run,
        int deeds,
        long acknowledged,
        long longestWaitMs,
        int refusedStarts,
        Findings findings,
        String logs) {

    /** One line. */
    String summary() {
        return "CHAOS store=" + run.store() + " nodes=" + run.nodes() + " minutes="
                + Math.round(run.time().toSeconds() / 6.0) / 10.0 + " seed=" + run.seed() + " faults=" + deeds
                + " acked=" + acknowledged
                + " lost=" + findings.count(Findings.Kind.LOST)
                + " duplicated=" + findings.count(Findings.Kind.DUPLICATED)
                + " reordered=" + findings.count(Findings.Kind.REORDERED)
                + " inconsistent=" + findings.count(Findings.Kind.INCONSISTENT)
                + " commits gone back=" + findings.count(Findings.Kind.WENT_BACK)
                + " leaked=" + findings.count(Findings.Kind.LEAKED)
                + " failed=" + findings.count(Findings.Kind.FAILED)
                + " starts refused=" + refusedStarts
                + " longest unavailable=" + longestWaitMs + "ms";
    }

    /** Fails if anything was found. */
    void assertNothingFound() {
        if (!findings.isEmpty()) {
            throw new AssertionError(summary() + "\n" + findings.examples() + "\n" + logs);
        }
    }
}
