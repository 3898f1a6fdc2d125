package io.forebay.server.cli.terminal;

import java.util.Locale;

/** Numbers for people. */
public final class Words {
    private Words() {}

    /** "1 record", "12,345 records". */
    public static String count(long count, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }

    /** "512 bytes", "1.5 KiB", "12.3 MiB", "4.0 GiB". */
    public static String bytes(double bytes) {
        if (bytes < 1024) {
            return String.format(Locale.ROOT, "%.0f bytes", bytes);
        }
        String[] units = {"KiB", "MiB", "GiB", "TiB"};
        double value = bytes / 1024;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }

    /** "12,345/s". */
    public static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f/s" : "%,.0f/s", perSecond);
    }

    /** "0.42 s". */
    public static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds < 10 ? "%.2f s" : "%.1f s", seconds);
    }
}
