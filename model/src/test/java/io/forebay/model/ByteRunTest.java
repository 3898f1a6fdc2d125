package io.forebay.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ByteRunTest {

    @Test
    void slicesAcrossPieces() {
        List<Page> freed = new ArrayList<>();
        ByteRun.Builder builder = new ByteRun.Builder();
        List<Page> pages = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            ByteBuffer bytes = ByteBuffer.allocate(10);
            for (int i = 0; i < 10; i++) {
                bytes.put(i, (byte) (p * 10 + i));
            }
            Page page = new Page(bytes, freed::add);
            pages.add(page);
            builder.add(page, 0, 10);
        }
        ByteRun run = builder.build();
        pages.forEach(Page::release);

        for (int from = 0; from <= 30; from++) {
            for (int length = 0; from + length <= 30; length++) {
                ByteRun slice = run.slice(from, length);
                ByteBuffer copy = slice.copy();
                assertEquals(length, copy.remaining());
                for (int i = 0; i < length; i++) {
                    assertEquals(from + i, copy.get(i));
                }
                slice.release();
            }
        }
        assertThrows(IndexOutOfBoundsException.class, () -> run.slice(5, 26));
        assertEquals(0, freed.size());
        run.release();
        assertEquals(3, freed.size());
    }

    @Test
    void liesInAFileForWhoeverPassesItOn(@TempDir Path folder) throws IOException {
        List<String> freed = new ArrayList<>();
        Path path = folder.resolve("f");
        Files.write(path, new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
        try (FileChannel channel = FileChannel.open(path)) {
            ByteRun run = ByteRun.ofFile(
                    new SharedFile("object", channel, Optional.empty(), () -> freed.add("file")),
                    new long[] {6, 1, 3, 5},
                    new int[] {3, 2, 2, 1});
            ByteRun shared = run.share();

            assertEquals(8, run.sizeBytes());
            assertEquals(
                    List.of(6L, 1L),
                    run.ranges().stream().map(ByteRun.FileRange::position).toList());
            assertEquals(
                    List.of(3, 5),
                    run.ranges().stream().map(ByteRun.FileRange::length).toList());
            assertEquals(ByteBuffer.wrap(new byte[] {6, 7, 8, 1, 2, 3, 4, 5}), run.copy());
            assertThrows(IllegalStateException.class, run::parts);
            run.release();
            assertEquals(List.of(), freed);
            shared.release();
            assertEquals(List.of("file"), freed);
        }
    }
}
