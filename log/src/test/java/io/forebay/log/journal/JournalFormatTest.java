package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.model.Loop;
import io.forebay.testkit.SeededTest;
import io.forebay.testkit.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The bytes of headers, frames, index and trailer: as released, there and back, and spoiled. */
final class JournalFormatTest {

    private static final JournalPath PATH = JournalPath.ofSession(42, 1);
    private static final Maker MAKER = new Maker(0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final HexFormat HEX = HexFormat.of();

    private final Loop loop = new Simulation(1).loop("owner");
    private final FrameCodec codec = new FrameCodec();

    @Test
    void writesTheBytesOfVersion1() throws IOException {
        JournalHeader data =
                new JournalHeader(JournalHeader.Kind.DATA, 1, 42, 9, 123_456, 2, MAKER, 1_700_000_000_000L);
        JournalHeader tombstone = JournalHeader.tombstone(PATH, 10, MAKER, 1_700_000_000_001L);
        List<String> lines = new ArrayList<>();
        lines.add(hex(data.encode()));
        lines.add(hex(tombstone.encode()));
        lines.add(hex(frame(entry(FrameKind.BATCH, 100, TestBatches.batch(100, 3, 96, new SplittableRandom(1))))));
        lines.add(hex(frame(entry(FrameKind.TRIM, 77, ByteBuffer.allocate(0)))));
        ByteBuffer index = ByteBuffer.wrap(smallIndex().encode(Integer.MAX_VALUE));
        lines.add(hex(index));
        lines.add(hex(JournalTrailer.of(500, index, MAKER).encode(JournalTrailer.JOURNAL)));

        assertThat(lines).isEqualTo(golden("journal-v1.hex", lines));
    }

    @Test
    void writesTheBytesOfAFileThatIsPutWhole() throws IOException {
        JournalHeader whole = JournalHeader.whole(PATH, 9, 5, 4_321, MAKER, 1_700_000_000_000L);
        List<String> lines = List.of(hex(whole.encode()));

        assertThat(lines).isEqualTo(golden("journal-v1-whole.hex", lines));
        assertThat(JournalHeader.decode(whole.encode(), PATH, 9)).contains(whole);
        assertThat(whole.acknowledged()).isEqualTo(5);
        assertThat(whole.length()).isEqualTo(4_321);
        assertThat(whole.written()).isEqualTo(5);
        assertThat(JournalHeader.tombstone(PATH, 9, MAKER, 0).written()).isEqualTo(8);
    }

    @Test
    void refusesWhatNoWriterSays() {
        assertThatThrownBy(() -> JournalHeader.whole(PATH, 9, 9, 4_321, MAKER, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JournalHeader.whole(PATH, 20, 3, 4_321, MAKER, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JournalHeader.whole(PATH, 9, 5, 63, MAKER, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsBackWhatItWrote() {
        JournalHeader data = new JournalHeader(JournalHeader.Kind.DATA, 1, 42, 9, 123_456, 2, MAKER, 5);

        assertThat(JournalHeader.decode(data.encode(), PATH, 9)).contains(data);
        assertThat(JournalHeader.decode(data.encode(), PATH, 8)).isEmpty();
        assertThat(JournalHeader.decode(data.encode(), JournalPath.ofSession(43, 1), 9))
                .isEmpty();
        assertThat(JournalHeader.decode(data.encode().limit(63), PATH, 9)).isEmpty();
    }

    @SeededTest
    void noticesEveryFlippedBit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int salt = FrameCodec.salt(PATH, 9);
        ByteBuffer frame = frame(entry(FrameKind.BATCH, 100, TestBatches.batch(100, 3, 200, random)));
        ByteBuffer header = JournalHeader.tombstone(PATH, 9, MAKER, 1).encode();
        assertThat(codec.isHeader(frame, 0, salt)).isTrue();
        assertThat(codec.isBody(frame, 0, frame, 64)).isTrue();

        for (int bit = 0; bit < frame.capacity() * 8; bit++) {
            flip(frame, bit);
            assertThat(codec.isHeader(frame, 0, salt) && codec.isBody(frame, 0, frame, 64))
                    .as("bit %d", bit)
                    .isFalse();
            flip(frame, bit);
        }
        for (int bit = 0; bit < header.capacity() * 8; bit++) {
            flip(header, bit);
            assertThat(JournalHeader.decode(header, PATH, 9)).as("bit %d", bit).isEmpty();
            flip(header, bit);
        }
    }

    @Test
    void aFrameOfAnotherFileIsNone() {
        ByteBuffer frame = frame(entry(FrameKind.TRIM, 5, ByteBuffer.allocate(0)));

        assertThat(codec.isHeader(frame, 0, FrameCodec.salt(PATH, 9))).isTrue();
        assertThat(codec.isHeader(frame, 0, FrameCodec.salt(PATH, 10))).isFalse();
    }

    @Test
    void refusesABatchWithoutAHeader() {
        assertThatThrownBy(() -> frame(entry(FrameKind.BATCH, 1, ByteBuffer.allocate(60))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @SeededTest
    void aSpoiledTrailerIsNone(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer index = ByteBuffer.wrap(smallIndex().encode(Integer.MAX_VALUE));
        ByteBuffer trailer = JournalTrailer.of(500, index, MAKER).encode(JournalTrailer.JOURNAL);
        long end = 500L + index.capacity() + 32;

        assertThat(JournalTrailer.decode(trailer, JournalTrailer.JOURNAL, end)).isPresent();
        assertThat(JournalTrailer.decode(trailer, JournalTrailer.SEGMENT, end)).isEmpty();
        assertThat(JournalTrailer.decode(trailer, JournalTrailer.JOURNAL, end + 1))
                .isEmpty();
        flip(trailer, random.nextInt(256));
        assertThat(JournalTrailer.decode(trailer, JournalTrailer.JOURNAL, end)).isEmpty();
    }

    private ByteBuffer frame(TestEntry entry) {
        ByteBuffer body = ByteBuffer.wrap(entry.content());
        ByteBuffer whole = ByteBuffer.allocate(64 + entry.content().length);
        whole.put(codec.encode(entry, body, FrameCodec.salt(PATH, 9), 4_000)).put(body);
        return whole.flip();
    }

    private TestEntry entry(FrameKind kind, long baseOffset, ByteBuffer body) {
        return new TestEntry(kind, 1030, 6, 1L << 40, baseOffset, 3, body, loop, new ArrayList<>());
    }

    private static JournalIndexBuilder smallIndex() {
        JournalIndexBuilder builder = new JournalIndexBuilder();
        ByteBuffer batch = TestBatches.batch(10, 2, 100, new SplittableRandom(3));
        builder.add(FrameKind.EPOCH_START.code(), 1025, -1, 64, 0, 4, 0, 0, batch, 0);
        builder.add(FrameKind.BATCH.code(), 1025, 8, 128, 100, 4, 10, 2, batch, 0);
        builder.add(FrameKind.BATCH.code(), 1024, 7, 292, 100, 5, 10, 2, batch, 0);
        builder.add(FrameKind.TRIM.code(), 1025, 8, 456, 0, 4, 11, 0, batch, 0);
        return builder;
    }

    private static void flip(ByteBuffer b, int bit) {
        b.put(bit / 8, (byte) (b.get(bit / 8) ^ 1 << bit % 8));
    }

    private static String hex(ByteBuffer b) {
        byte[] bytes = new byte[b.remaining()];
        b.duplicate().get(bytes);
        return HEX.formatHex(bytes);
    }

    /** The released bytes, one object a line. {@code -Dforebay.golden=FOLDER} writes them anew for a new version. */
    private static List<String> golden(String name, List<String> now) throws IOException {
        String folder = System.getProperty("forebay.golden");
        if (folder != null) {
            Files.write(Path.of(folder, name), now);
        }
        try (InputStream in = JournalFormatTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII)
                    .lines()
                    .toList();
        }
    }
}
