package io.forebay.bench.report;

import io.forebay.bench.machine.Machine;
import java.util.List;
import java.util.Map;

/**
 * How a report came about.
 *
 * @param command the command that makes it again
 * @param commit version of the source
 * @param date when the run began
 * @param minutes how long it has taken so far
 * @param machine where
 * @param targets short name to name in tables, in the order of the columns
 * @param flags how each target was started, in words
 * @param troubles rows that could not be finished, and why
 */
public record Setting(
        String command,
        String commit,
        String date,
        long minutes,
        Machine machine,
        Map<String, String> targets,
        List<String> flags,
        List<String> troubles) {
    public Setting {
        flags = List.copyOf(flags);
        troubles = List.copyOf(troubles);
    }
}
