package io.forebay.store.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemDiskTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void nothingIsInAFolderThatIsNotThere() throws IOException {
        SystemDisk disk = new SystemDisk();

        assertThat(disk.exists(folder.resolve("a"))).isFalse();
        assertThat(disk.exists(folder.resolve("a").resolve("b").resolve("c"))).isFalse();

        Path there = Files.writeString(folder.resolve("there"), "");
        assertThat(disk.exists(there)).isTrue();
    }
}
