package io.forebay.bench.cluster;

import java.util.Arrays;
import java.util.Collection;

/** Percentiles of a few figures. Pure. */
final class Numbers {
    private Numbers() {}

    /** The figure below or at which this part, 0 to 1, of all lies; the largest for 1. */
    static double percentile(Collection<Double> figures, double part) {
        double[] sorted =
                figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return percentile(sorted, part);
    }

    /** The same of figures in ascending order. */
    static double percentile(double[] sorted, double part) {
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no figures");
        }
        double[] copy = Arrays.copyOf(sorted, sorted.length);
        return copy[(int) Math.max(0, Math.ceil(part * copy.length) - 1)];
    }
}
