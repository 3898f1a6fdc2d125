package io.forebay.bench.machine;

/**
 * CPU time that one process, with all its threads, has used since it began.
 *
 * @param user clock ticks in user mode
 * @param system clock ticks in the kernel on its behalf
 */
public record ProcessTicks(long user, long system) {
    /** Linux reports CPU time to programs in hundredths of a second whatever the kernel's own tick is. */
    public static final double TICKS_PER_SECOND = 100.0;

    // Positions after the command name, counted from 0: state is 0, utime 11, stime 12.
    private static final int USER_FIELD = 11;
    private static final int SYSTEM_FIELD = 12;

    /** Reads the content of {@code /proc/PID/stat}; the command name in it may hold blanks and brackets. */
    public static ProcessTicks parse(String stat) {
        int nameEnd = stat.lastIndexOf(')');
        String[] fields = stat.substring(nameEnd + 1).trim().split("\\s+", -1);
        if (nameEnd < 0 || fields.length <= SYSTEM_FIELD) {
            throw new IllegalArgumentException("not a process stat line: " + stat);
        }
        return new ProcessTicks(Long.parseLong(fields[USER_FIELD]), Long.parseLong(fields[SYSTEM_FIELD]));
    }

    /** User and system time together. */
    public double seconds() {
        return (user + system) / TICKS_PER_SECOND;
    }
}
