package io.forebay.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything measured so far, in the order it was measured. Owned by the thread that runs the rows. */
public final class Samples {
    private final List<Sample> all = new ArrayList<>();

    /** Adds a figure whose worth does not depend on a quiet machine. */
    public void add(String metric, String target, int round, double value) {
        add(new Sample(metric, target, round, value, true));
    }

    public void add(Sample sample) {
        all.add(sample);
    }

    public List<Sample> all() {
        return List.copyOf(all);
    }

    /** A metric's figures of one target, by round; of two in one round the later counts. */
    Map<Integer, Sample> of(String metric, String target) {
        Map<Integer, Sample> rounds = new TreeMap<>();
        for (Sample sample : all) {
            if (sample.metric().equals(metric) && sample.target().equals(target)) {
                rounds.put(sample.round(), sample);
            }
        }
        return rounds;
    }
}
