package io.forebay.kafka.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.fake.HandClock;
import io.forebay.model.SharedFile;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnsentFilesTest {

    private final IOException notSent = new IOException("not sent");
    private final HandClock clock = new HandClock();
    private final UnsentFiles unsent = new UnsentFiles(clock);

    @Test
    void tellsOfAFileThatEndsBeforeItsPieceOnceAMinute(@TempDir Path folder) throws IOException {
        try (FileChannel file = file(folder)) {
            FilePiece piece = new FilePiece(new SharedFile("object", file, Optional.empty(), () -> {}), 100, 800);
            assertThat(file.truncate(500).size()).isEqualTo(500);

            assertThat(unsent.failed(piece, notSent)).hasValue(0);
            assertThat(unsent.failed(piece, notSent)).isEmpty();
            clock.advance(59_000);
            assertThat(unsent.failed(piece, notSent)).isEmpty();
            clock.advance(2_000);
            assertThat(unsent.failed(piece, notSent)).hasValue(2);
            assertThat(piece.object()).isEqualTo("object");
        }
    }

    @Test
    void aClientThatHasGoneIsNoFaultOfTheFile(@TempDir Path folder) throws IOException {
        try (FileChannel file = file(folder)) {
            FilePiece piece = new FilePiece(new SharedFile("object", file, Optional.empty(), () -> {}), 100, 900);

            assertThat(unsent.failed(piece, notSent)).isEmpty();
            assertThat(file.truncate(500).size()).isEqualTo(500);
            assertThat(unsent.failed(piece, new ClosedChannelException())).isEmpty();
        }
    }

    private static FileChannel file(Path folder) throws IOException {
        Path path = folder.resolve("f");
        Files.write(path, new byte[1_000]);
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
}
