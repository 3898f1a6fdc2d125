package io.forebay.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a report goes: a page whose generated block is replaced and whose other words stay, and a JSON file. */
public final class ReportFiles {
    static final String BEGIN = "<!-- figures: written by bin/bench, do not edit -->";
    static final String END = "<!-- end of figures -->";

    private final Path page;
    private final Path raw;

    public ReportFiles(Path page, Path raw) {
        this.page = page;
        this.raw = raw;
    }

    /** Writes both; may be called again as more becomes known. */
    public void write(Setting setting, Samples samples) throws IOException {
        write(setting, samples, MarkdownReport.render(setting, samples));
    }

    /** Writes both, with a block that somebody else has made. */
    public void write(Setting setting, Samples samples, String block) throws IOException {
        Files.createDirectories(raw.toAbsolutePath().getParent());
        Files.createDirectories(page.toAbsolutePath().getParent());
        Files.writeString(raw, new RawFigures(setting.runs(), samples.all()).render(setting));
        String old = Files.exists(page) ? Files.readString(page) : "# Benchmarks\n";
        Files.writeString(page, splice(old, block));
    }

    /** A page with its generated block replaced, or with one added at its end. */
    static String splice(String page, String block) {
        String marked = BEGIN + "\n" + block + END;
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            return page.stripTrailing() + "\n\n" + marked + "\n";
        }
        return page.substring(0, begin) + marked + page.substring(end + END.length());
    }
}
