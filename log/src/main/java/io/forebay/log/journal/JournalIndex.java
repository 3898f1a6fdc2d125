package io.forebay.log.journal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The index of one journal file as it lies in the file, with a directory of its shards. Frames are decoded only while somebody
 * walks over them. Immutable; any thread.
 */
final class JournalIndex {

    private final long file;
    private final byte[] bytes;
    /** Sorted; element i of the others belongs to it. */
    private final int[] shards;

    private final int[] from;
    private final int[] to;

    private JournalIndex(long file, byte[] bytes, int[] shards, int[] from, int[] to) {
        this.file = file;
        this.bytes = bytes;
        this.shards = shards;
        this.from = from;
        this.to = to;
    }

    /** One shard's part of an index: an encoded {@code ShardFrames}. */
    static final class Slice {
        final long file;
        final byte[] bytes;
        final int from;
        final int to;

        private Slice(long file, byte[] bytes, int from, int to) {
            this.file = file;
            this.bytes = bytes;
            this.from = from;
            this.to = to;
        }
    }

    /**
     * Makes the directory.
     *
     * @param bytes an encoded index, kept as it is
     * @throws InvalidProtocolBufferException if it is not one
     */
    static JournalIndex parse(long file, byte[] bytes) throws InvalidProtocolBufferException {
        List<int[]> found = new ArrayList<>();
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        try {
            int tag = in.readTag();
            while (tag != 0) {
                if (tag == WireFormatTag.bytes(1)) {
                    int length = in.readRawVarint32();
                    int begin = in.getTotalBytesRead();
                    in.skipRawBytes(length);
                    found.add(new int[] {shardOf(bytes, begin, length), begin, begin + length});
                } else {
                    in.skipField(tag);
                }
                tag = in.readTag();
            }
        } catch (InvalidProtocolBufferException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidProtocolBufferException(e);
        }
        found.sort((a, b) -> Integer.compare(a[0], b[0]));
        return new JournalIndex(
                file,
                bytes,
                found.stream().mapToInt(e -> e[0]).toArray(),
                found.stream().mapToInt(e -> e[1]).toArray(),
                found.stream().mapToInt(e -> e[2]).toArray());
    }

    private static int shardOf(byte[] bytes, int begin, int length) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes, begin, length);
        int tag = in.readTag();
        while (tag != 0) {
            if (tag == (1 << 3 | WireFormat.WIRETYPE_VARINT)) {
                return in.readInt32();
            }
            in.skipField(tag);
            tag = in.readTag();
        }
        return 0;
    }

    long file() {
        return file;
    }

    int sizeBytes() {
        return bytes.length;
    }

    /** The shards that have frames in the file, ascending. */
    List<Integer> shards() {
        return Arrays.stream(shards).boxed().toList();
    }

    /** The shard's part, or null if it has no frames in the file. */
    @Nullable
    Slice slice(int shard) {
        int i = Arrays.binarySearch(shards, shard);
        return i < 0 ? null : new Slice(file, bytes, from[i], to[i]);
    }

    /** All frames of the shard in this file, damaged ones too. */
    FrameCursor frames(int shard) {
        Slice slice = slice(shard);
        return new IndexFrameCursor(slice == null ? List.of() : List.of(slice), IndexFrameCursor.Range.ALL);
    }

    /** Wire tags by field number. */
    static final class WireFormatTag {
        private WireFormatTag() {}

        static int bytes(int field) {
            return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
        }
    }
}
