package io.forebay.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** CPU time of this JVM and of everything it has started, the dead included. Stateless, any thread. */
public final class FamilyTicks {
    // Positions after the command name, counted from 0: utime 11, stime 12, and the same of children that have ended,
    // 13 and 14.
    private static final int FIRST_FIELD = 11;
    private static final int LAST_FIELD = 14;

    private FamilyTicks() {}

    /** Seconds used so far, in user mode and in the kernel. */
    public static double seconds() {
        ProcessHandle self = ProcessHandle.current();
        List<ProcessHandle> family =
                Stream.concat(Stream.of(self), self.descendants()).toList();
        return family.stream().mapToLong(each -> ticks(each.pid())).sum() / ProcessTicks.TICKS_PER_SECOND;
    }

    /** Seconds used so far by some processes; of one that has gone, none. */
    public static double secondsOf(List<Long> pids) {
        return pids.stream().mapToLong(FamilyTicks::ticks).sum() / ProcessTicks.TICKS_PER_SECOND;
    }

    private static long ticks(long pid) {
        try {
            return parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
        } catch (IOException gone) {
            // Its parent has its time by now.
            return 0;
        }
    }

    static long parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split("\\s+", -1);
        long sum = 0;
        for (int i = FIRST_FIELD; i <= LAST_FIELD; i++) {
            sum += Long.parseLong(fields[i]);
        }
        return sum;
    }
}
