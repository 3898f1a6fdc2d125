package io.forebay.bench.report;

import io.forebay.bench.machine.Machine;
import java.util.List;
import java.util.Map;

/**
 * How a report came about.
 *
 * @param runs the runs that its figures come from; those of one metric always come from one run
 * @param machine where
 * @param targets short name to name in tables, in the order of the columns
 * @param flags how each target was started, in words
 * @param troubles rows that could not be finished, and why
 */
public record Setting(
        List<Run> runs, Machine machine, Map<String, String> targets, List<String> flags, List<String> troubles) {
    public Setting {
        runs = List.copyOf(runs);
        flags = List.copyOf(flags);
        troubles = List.copyOf(troubles);
    }
}
