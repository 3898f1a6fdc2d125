package io.forebay.bench.machine;

/** Reads the memory lines of {@code /proc}. */
final class Memory {
    private static final long KIB = 1024;

    private Memory() {}

    /** {@code VmRSS} of {@code /proc/PID/status}, in bytes. */
    static long residentBytes(String status) {
        return kibibytes(status, "VmRSS:") * KIB;
    }

    /** {@code MemTotal} of {@code /proc/meminfo}, in bytes. */
    static long totalBytes(String meminfo) {
        return kibibytes(meminfo, "MemTotal:") * KIB;
    }

    private static long kibibytes(String text, String key) {
        return text.lines()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).trim().split("\\s+", -1)[0])
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + key + " in: " + text));
    }
}
