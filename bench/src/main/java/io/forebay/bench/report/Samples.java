package io.forebay.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

    /** Puts the figures of an earlier run beside these, but for metrics that these have. */
    public void addMissing(List<Sample> earlier) {
        Set<String> known = all.stream().map(Sample::metric).collect(Collectors.toSet());
        all.addAll(earlier.stream()
                .filter(sample -> !known.contains(sample.metric()))
                .toList());
    }

    /** Puts the figures of an earlier run beside these, but for metrics of targets that these have. */
    public void addMissingTargets(List<Sample> earlier) {
        Set<String> known = all.stream().map(Samples::place).collect(Collectors.toSet());
        all.addAll(earlier.stream()
                .filter(sample -> !known.contains(place(sample)))
                .toList());
    }

    private static String place(Sample sample) {
        return sample.metric() + " " + sample.target();
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
