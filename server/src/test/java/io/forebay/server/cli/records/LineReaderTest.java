package io.forebay.server.cli.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    @Test
    void splitsAtLineFeedsOnly() throws IOException {
        assertThat(lines("a\r\nb\n\nc")).containsExactly("a\r", "b", "", "c");
        assertThat(lines("a\n")).containsExactly("a");
        assertThat(lines("")).isEmpty();
        assertThat(lines("\n")).containsExactly("");
    }

    @Test
    void linesMayBeLongerThanTheBuffer() throws IOException {
        String longLine = "x".repeat(200_000);

        assertThat(lines(longLine + "\n" + longLine)).containsExactly(longLine, longLine);
    }

    @Test
    void lineOverTheLimitIsRefused() {
        LineReader reader = new LineReader(new ByteArrayInputStream(new byte[300_000]), 100_000);

        assertThatThrownBy(reader::next).isInstanceOf(IOException.class).hasMessageContaining("longer than 100000");
    }

    private static List<String> lines(String text) throws IOException {
        LineReader reader =
                new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)), 1 << 20);
        List<String> result = new ArrayList<>();
        for (Optional<byte[]> line = reader.next(); line.isPresent(); line = reader.next()) {
            result.add(new String(line.get(), StandardCharsets.ISO_8859_1));
        }
        return result;
    }
}
