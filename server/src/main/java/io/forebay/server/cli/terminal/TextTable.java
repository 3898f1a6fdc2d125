package io.forebay.server.cli.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Lines of columns, each as wide as its widest cell; columns of numbers stand right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... titles) {
        rows.add(Arrays.asList(titles));
    }

    public void row(Object... cells) {
        rows.add(Arrays.stream(cells).map(Object::toString).toList());
    }

    public void print(PrintStream out) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        boolean[] numeric = new boolean[columns];
        for (int column = 0; column < columns; column++) {
            int at = column;
            widths[at] =
                    rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0);
            numeric[at] = rows.size() > 1
                    && rows.stream().skip(1).allMatch(row -> row.get(at).matches("-|-?[0-9]+"));
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                String cell = row.get(column);
                String padding = " ".repeat(widths[column] - cell.length());
                line.append(column == 0 ? "" : GAP).append(numeric[column] ? padding + cell : cell + padding);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
