package io.forebay.bench.report;

import java.util.Map;

/**
 * One line of the table.
 *
 * @param id name in raw figures
 * @param label what a reader sees
 * @param unit unit of its figures
 * @param digits digits behind the point
 * @param quietOnly whether it is judged only from rounds with a quiet machine
 * @param bars bar of each target that has one
 */
public record Metric(String id, String label, String unit, int digits, boolean quietOnly, Map<String, Bar> bars) {
    public Metric {
        bars = Map.copyOf(bars);
    }

    Bar bar(String target) {
        return bars.getOrDefault(target, Bar.NONE);
    }
}
