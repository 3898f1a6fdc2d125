package io.forebay.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFileTest {

    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void tellsWhatWasWrittenFromWhatWasNeverInMemory() throws IOException {
        assumeThat(System.getProperty("os.name")).isEqualTo("Linux");
        Path file = folder.resolve("file");
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.write(new byte[MIB]);
            bytes.setLength(4L * MIB);
        }
        MappedFile mapped = MappedFile.map(file, 4L * MIB).orElseThrow();

        assertThat(mapped.holds(0, MIB)).isTrue();
        assertThat(mapped.holds(100_001, 65_107))
                .as("not on the bounds of pages")
                .isTrue();
        assertThat(mapped.holds(2 * MIB, 1)).as("a hole that nobody read").isFalse();
        assertThat(mapped.holds(0, 4 * MIB)).as("not all of it").isFalse();
        assertThat(mapped.holds(4L * MIB - 1, 2)).as("behind the end").isFalse();
        mapped.close();
        mapped.close();

        assertThat(mapped.holds(0, 1)).as("closed").isFalse();
    }

    @Test
    void mapsNothingThatIsNotThere() throws IOException {
        Path file = folder.resolve("file");

        assertThat(MappedFile.map(file, 1)).isEmpty();
        Files.write(file, new byte[10]);

        assertThat(MappedFile.map(file, 11)).as("longer than the file").isEmpty();
        assertThat(MappedFile.map(file, 1L + Integer.MAX_VALUE)).isEmpty();
        assertThat(Files.size(file)).isEqualTo(10);
    }
}
