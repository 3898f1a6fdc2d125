package io.forebay.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

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
}
