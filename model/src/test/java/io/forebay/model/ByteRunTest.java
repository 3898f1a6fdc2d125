package io.forebay.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
    void keepsWhereItsPiecesLieInAFile(@TempDir Path folder) throws IOException {
        List<String> freed = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(
                folder.resolve("f"), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            Page page = new Page(ByteBuffer.allocate(20), p -> freed.add("page"));
            ByteRun.Builder two = new ByteRun.Builder();
            two.add(page, 0, 8);
            two.add(page, 8, 12);
            page.release();
            ByteRun lying = two.build().lyingIn(new SharedFile(channel, () -> freed.add("file")), 1_000);

            ByteRun cut = lying.slice(5, 10);
            ByteRun.Builder joined = new ByteRun.Builder();
            joined.take(ByteRun.ofUnshared(ByteBuffer.allocate(3)));
            joined.take(cut);
            joined.take(ByteRun.ofUnshared(ByteBuffer.allocate(2)));
            ByteRun all = joined.build();

            assertEquals(15, all.sizeBytes());
            assertNull(all.origin(0));
            assertEquals(1_005, Objects.requireNonNull(all.origin(1)).position());
            assertEquals(1_008, Objects.requireNonNull(all.origin(2)).position());
            assertNull(all.origin(3));
            lying.release();
            assertEquals(List.of(), freed);
            all.release();
            assertEquals(List.of("page", "file"), freed);
        }
    }
}
