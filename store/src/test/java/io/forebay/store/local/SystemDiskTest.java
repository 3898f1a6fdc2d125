package io.forebay.store.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    @Test
    void aNameThatPointsNowhereIsTaken() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));

        assertThat(new SystemDisk().exists(link)).isTrue();
    }

    @Test
    void whatCannotBeLookedAtIsNotTakenForMissing() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        Path loop = Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));

        for (Path name : List.of(file.resolve("below"), loop.resolve("below"), folder.resolve("n".repeat(300)))) {
            assertThatThrownBy(() -> new SystemDisk().exists(name))
                    .as(name.toString())
                    .isInstanceOf(IOException.class);
        }
    }
}
