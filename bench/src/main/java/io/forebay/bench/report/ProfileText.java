package io.forebay.bench.report;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A CPU profile as text: which threads, which methods on top, which methods anywhere on the stack. Pure.
 *
 * <p>Reads collapsed stacks: a line is frames divided by semicolons, the thread first, then a blank and a weight.
 */
public final class ProfileText {
    private static final int THREADS = 20;
    private static final int METHODS = 50;

    private final Map<String, Long> threads = new HashMap<>();
    private final Map<String, Long> tops = new HashMap<>();
    private final Map<String, Long> anywhere = new HashMap<>();
    private long total;

    private ProfileText() {}

    /** The text of a profile. */
    public static String of(List<String> collapsed) {
        ProfileText text = new ProfileText();
        collapsed.forEach(text::add);
        return text.render();
    }

    private void add(String line) {
        int blank = line.lastIndexOf(' ');
        if (blank < 0) {
            return;
        }
        long weight = Long.parseLong(line.substring(blank + 1).trim());
        String[] frames = line.substring(0, blank).split(";", -1);
        total += weight;
        // Threads of a pool count together: numbers in names are dropped, and so is the kernel's thread id.
        String thread = frames[0].replaceAll("\\s*tid=\\d+", "").replaceAll("\\d+", "N");
        threads.merge(thread, weight, Long::sum);
        tops.merge(frames[frames.length - 1], weight, Long::sum);
        Set<String> once = new HashSet<>(List.of(frames).subList(Math.min(1, frames.length), frames.length));
        once.forEach(frame -> anywhere.merge(frame, weight, Long::sum));
    }

    private String render() {
        StringBuilder text = new StringBuilder();
        section(text, "Threads", threads, THREADS);
        section(text, "On top of the stack", tops, METHODS);
        section(text, "Anywhere on the stack", anywhere, METHODS);
        return text.toString();
    }

    private void section(StringBuilder text, String title, Map<String, Long> weights, int most) {
        text.append(title).append('\n');
        weights.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .forEach(entry -> text.append(String.format(
                        Locale.ROOT, "%6.2f %%  %s%n", 100.0 * entry.getValue() / total, entry.getKey())));
        text.append('\n');
    }
}
