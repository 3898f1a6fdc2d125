package io.forebay.server.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void columnsAreAsWideAsTheirWidestCellAndNumbersStandRight() {
        TextTable table = new TextTable("name", "lag", "member");
        table.row("a", 5, "x");
        table.row("longer", "-", "");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        table.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("name    lag  member", "a         5  x", "longer    -");
    }
}
