package io.forebay.bench.machine;

/**
 * CPU time of the whole machine since it booted, summed over its CPUs.
 *
 * @param busy clock ticks spent on anything, also ticks that the hypervisor took away
 * @param idle clock ticks with nothing to do, or waiting for a disk
 */
public record MachineTicks(long busy, long idle) {
    /** Reads the first line of {@code /proc/stat}. */
    public static MachineTicks parse(String stat) {
        String line = stat.lines().findFirst().orElse("");
        String[] fields = line.trim().split("\\s+", -1);
        if (fields.length < 9 || !fields[0].equals("cpu")) {
            throw new IllegalArgumentException("not the machine's stat: " + line);
        }
        // cpu user nice system idle iowait irq softirq steal; guest time is part of user time already.
        long busy = number(fields[1])
                + number(fields[2])
                + number(fields[3])
                + number(fields[6])
                + number(fields[7])
                + number(fields[8]);
        return new MachineTicks(busy, number(fields[4]) + number(fields[5]));
    }

    /** Busy time in seconds. */
    public double busySeconds() {
        return busy / ProcessTicks.TICKS_PER_SECOND;
    }

    private static long number(String field) {
        return Long.parseLong(field);
    }
}
