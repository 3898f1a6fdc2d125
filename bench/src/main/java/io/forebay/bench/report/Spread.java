package io.forebay.bench.report;

import java.util.Arrays;
import java.util.Collection;

/**
 * Several figures of the same thing.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param min the smallest
 * @param max the largest
 * @param count how many there were, at least one
 */
public record Spread(double median, double min, double max, int count) {
    /** Of at least one figure. */
    public static Spread of(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no figures");
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1], sorted.length);
    }
}
