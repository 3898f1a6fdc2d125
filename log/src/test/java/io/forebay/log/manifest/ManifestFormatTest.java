package io.forebay.log.manifest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.journal.JournalPosition;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ManifestFormatTest {

    private static final ObjectKey KEY = ObjectKey.of("shard/1024/manifest/00000000000000000007");

    private static final Manifest MANIFEST = new Manifest(
            1024,
            7,
            3,
            12,
            false,
            List.of(
                    new JournalRange(
                            9, 0, 2, new JournalPosition(4, 64), Optional.of(new JournalPosition(5, 1_000_000))),
                    new JournalRange(12, 0, 3, new JournalPosition(0, 64), Optional.empty())),
            List.of(new SegmentEntry(
                    ObjectKey.of("shard/1024/00000000000000000002/0123456789abcdef0123456789abcdef"),
                    200_000,
                    1,
                    List.of(
                            new SegmentPart(5, 0, 100, 90_000, 1_700_000_000_000L),
                            new SegmentPart(6, 40, 77, 80_000, 1_700_000_000_001L)))),
            List.of(PartitionMemory.newBuilder()
                    .setPartitionId(5)
                    .setStartOffset(10)
                    .setNextOffset(100)
                    .setMaxTimestamp(-1)
                    .build()),
            Optional.empty(),
            List.of(3L));

    /** The last 40 offsets of partition 5 are still in the journal. */
    private static final Manifest MANIFEST_TWO = MANIFEST.withRanges(
            false,
            List.of(new JournalRange(12, 0, 3, new JournalPosition(2, 0), Optional.empty())),
            List.of(MANIFEST.memories().get(0).toBuilder()
                    .setNextOffset(140)
                    .setInJournal(40)
                    .build()),
            Optional.empty());

    @Test
    void writesTheBytesOfVersionOne() throws IOException {
        assertEquals(golden("manifest-v1.hex"), HexFormat.of().formatHex(bytes(MANIFEST)));
    }

    @Test
    void readsTheBytesOfVersionOne() throws IOException {
        ByteBuffer released = ByteBuffer.wrap(HexFormat.of().parseHex(golden("manifest-v1.hex")));

        assertEquals(MANIFEST, ManifestCodec.decode(KEY, released));
    }

    @Test
    void writesTheBytesOfVersionTwoWhereAMemoryIsAheadOfTheRanges() throws IOException {
        assertEquals(golden("manifest-v2.hex"), HexFormat.of().formatHex(bytes(MANIFEST_TWO)));
    }

    @Test
    void readsTheBytesOfVersionTwo() throws IOException {
        ByteBuffer released = ByteBuffer.wrap(HexFormat.of().parseHex(golden("manifest-v2.hex")));

        assertEquals(MANIFEST_TWO, ManifestCodec.decode(KEY, released));
    }

    @Test
    void snapshotsHaveTheVersionOfWhatTheyHold() {
        List<PartitionMemory> ahead = MANIFEST_TWO.memories();

        ByteBuffer two = ManifestCodec.encodeSnapshot(ahead);
        ByteBuffer one = ManifestCodec.encodeSnapshot(MANIFEST.memories());

        assertEquals(2, two.get(2));
        assertEquals(1, one.get(2));
        assertEquals(ahead, ManifestCodec.decodeSnapshot(KEY, two));
    }

    @Test
    void noticesEveryFlippedBit() {
        byte[] bytes = bytes(MANIFEST);
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            boolean reserved = bit / 8 == 3 || (bit / 8 >= 12 && bit / 8 < 16);
            if (!reserved) {
                bytes[bit / 8] = (byte) (bytes[bit / 8] ^ (1 << (bit % 8)));
                assertThrows(StoreException.class, () -> ManifestCodec.decode(KEY, ByteBuffer.wrap(bytes)));
                bytes[bit / 8] = (byte) (bytes[bit / 8] ^ (1 << (bit % 8)));
            }
        }
    }

    @Test
    void saysThatANewerFormatIsNewer() {
        byte[] bytes = bytes(MANIFEST);
        bytes[2] = 3;

        StoreException thrown =
                assertThrows(StoreException.class, () -> ManifestCodec.decode(KEY, ByteBuffer.wrap(bytes)));

        assertEquals(StoreException.Kind.INVALID, thrown.kind());
    }

    private static byte[] bytes(Manifest manifest) {
        ByteBuffer encoded = ManifestCodec.encode(manifest);
        byte[] bytes = new byte[encoded.remaining()];
        encoded.get(bytes);
        return bytes;
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = ManifestFormatTest.class.getResourceAsStream(name)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip();
        }
    }
}
