package io.forebay.log.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.forebay.log.batch.RunView;
import io.forebay.log.journal.Maker;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.model.ByteRun;
import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import io.forebay.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class SegmentFormatTest {

    private static final ObjectKey KEY =
            ObjectKey.of("shard/1024/00000000000000000003/0123456789abcdef0123456789abcdef");
    private static final Maker MAKER = new Maker(0x1122334455667788L, 0x99aabbccddeeff00L);

    private final Store store = new MemoryStore();

    @Test
    void writesTheBytesOfVersionOne() throws IOException {
        SegmentEntry entry = small();

        ByteBuffer bytes = ByteBuffer.allocate((int) entry.sizeBytes());
        assertEquals(entry.sizeBytes(), store.read(KEY, 0, bytes).join().longValue());
        assertEquals(golden(), HexFormat.of().formatHex(bytes.array()));
    }

    @Test
    void readsTheBytesOfVersionOne() throws IOException {
        byte[] released = HexFormat.of().parseHex(golden());
        assertTrue(store.putIfAbsent(KEY, ByteBuffer.wrap(released)).isDone());

        SegmentIndex index = SegmentFooters.read(store, KEY, released.length).join();

        assertEquals(2, index.partitions());
        int p = index.find(5);
        assertEquals(0, index.blockOffset(index.firstBlock(p)));
        assertEquals(20, index.blockNextOffset(p, index.firstBlock(p)));
        assertEquals(0, index.blockLength(index.firstBlock(p) + 1));
        assertEquals(25, index.blockNextOffset(p, index.firstBlock(p) + 1));
        assertEquals(-1, index.find(6));
    }

    @Test
    void noticesDamageOfFooterAndTrailer() {
        SegmentEntry entry = small();
        ByteBuffer bytes = ByteBuffer.allocate((int) entry.sizeBytes());
        assertTrue(store.read(KEY, 0, bytes).isDone());
        for (int at = 64 + 300; at < bytes.capacity(); at++) {
            byte[] damaged = Arrays.copyOf(bytes.array(), bytes.capacity());
            damaged[at] = (byte) (damaged[at] ^ 0x10);
            ObjectKey key = ObjectKey.of("damaged/" + at);
            assertTrue(store.putIfAbsent(key, ByteBuffer.wrap(damaged)).isDone());

            assertThrows(
                    CompletionException.class,
                    () -> SegmentFooters.read(store, key, damaged.length).join(),
                    "byte " + at);
        }
    }

    @Test
    void cutsBlocksOfAtLeastSixtyFourKibibytes() {
        SegmentWriter writer = writer();
        writer.beginPartition(1);
        for (int i = 0; i < 100; i++) {
            add(writer, 30_000, i * 10L, i * 10L + 10);
        }
        SegmentEntry entry = writer.finish(0).join();

        SegmentIndex index = SegmentFooters.read(store, KEY, entry.sizeBytes()).join();

        assertEquals(34, index.endBlock(0));
        for (int block = 0; block < 33; block++) {
            assertEquals(90_000, index.blockLength(block));
            assertEquals(block * 30L, index.blockOffset(block));
            assertEquals(block, index.blockAt(0, block * 30L + 29));
        }
        assertEquals(34, index.blockAt(0, 1_000));
    }

    private SegmentEntry small() {
        SegmentWriter writer = writer();
        writer.beginPartition(5);
        add(writer, 100, 0, 10);
        add(writer, 100, 10, 20);
        writer.addLost(20, 25);
        writer.beginPartition(7);
        add(writer, 100, 1_000, 1_001);
        return writer.finish(0).join();
    }

    private SegmentWriter writer() {
        return SegmentWriter.begin(store, Runnable::run, KEY, 1024, 3, 1_700_000_000_000L, MAKER)
                .join();
    }

    private static void add(SegmentWriter writer, int length, long base, long next) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) base);
        RunView view = new RunView(ByteRun.ofUnshared(ByteBuffer.wrap(bytes)));
        assertTrue(writer.addBatch(view, 0, length, base, next, 1_000 + base).isDone());
    }

    private static String golden() throws IOException {
        try (InputStream in = SegmentFormatTest.class.getResourceAsStream("segment-v1.hex")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
        }
    }
}
