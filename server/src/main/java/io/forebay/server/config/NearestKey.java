package io.forebay.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant: the key with the fewest edits, if there are few enough to be a slip. */
public final class NearestKey {
    private NearestKey() {}

    /** The key nearest to {@code typed}; empty if none is near. */
    public static Optional<String> of(String typed, Collection<String> keys) {
        return within(Math.max(2, typed.length() / 3), typed, keys);
    }

    /** The same among short words, where two edits of four letters would turn anything into anything. */
    public static Optional<String> ofShort(String typed, Collection<String> keys) {
        String letters = typed.replaceFirst("^-+", "");
        return within(Math.max(1, letters.length() / 3), typed, keys);
    }

    private static Optional<String> within(int limit, String typed, Collection<String> keys) {
        return keys.stream()
                .min(Comparator.comparingInt((String key) -> edits(typed, key)).thenComparing(key -> key))
                .filter(key -> edits(typed, key) <= limit);
    }

    /** Insertions, deletions, changes and swaps of neighbours that turn {@code a} into {@code b}. */
    static int edits(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            cost[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            cost[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int best = Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + change);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                cost[i][j] = swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
            }
        }
        return cost[a.length()][b.length()];
    }
}
