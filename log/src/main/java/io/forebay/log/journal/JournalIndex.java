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
    private final int sizeBytes;
    /** Sorted; element i of the others belongs to it. */
    private final int[] shards;

    private final int[] from;
    private final int[] to;
    private final List<JournalIndex> earlier;

    /** Takes what was found; each of {@code found} is shard, begin and end. */
    private JournalIndex(long file, byte[] bytes, int sizeBytes, List<int[]> found, List<JournalIndex> earlier) {
        this.file = file;
        this.bytes = bytes;
        this.sizeBytes = sizeBytes;
        this.shards = found.stream().mapToInt(e -> e[0]).toArray();
        this.from = found.stream().mapToInt(e -> e[1]).toArray();
        this.to = found.stream().mapToInt(e -> e[2]).toArray();
        this.earlier = List.copyOf(earlier);
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
        try {
            return parse(file, bytes, 0, bytes.length);
        } catch (InvalidProtocolBufferException e) {
            throw e;
        } catch (IOException e) {
            throw new InvalidProtocolBufferException(e);
        }
    }

    private static JournalIndex parse(long file, byte[] bytes, int begin, int length) throws IOException {
        List<int[]> found = new ArrayList<>();
        List<JournalIndex> earlier = new ArrayList<>();
        int ownBytes = length;
        CodedInputStream in = CodedInputStream.newInstance(bytes, begin, length);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            boolean shard = tag == WireFormatTag.bytes(1);
            if (!shard && tag != WireFormatTag.bytes(2)) {
                in.skipField(tag);
                continue;
            }
            int partLength = in.readRawVarint32();
            int part = begin + in.getTotalBytesRead();
            in.skipRawBytes(partLength);
            if (shard) {
                found.add(new int[] {shardOf(bytes, part, partLength), part, part + partLength});
            } else {
                ownBytes -= partLength;
                earlier.add(parseEarlier(bytes, part, partLength));
            }
        }
        found.sort((a, b) -> Integer.compare(a[0], b[0]));
        return new JournalIndex(file, bytes, ownBytes, found, earlier);
    }

    private static JournalIndex parseEarlier(byte[] bytes, int begin, int length) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes, begin, length);
        long number = 0;
        int index = begin;
        int indexLength = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            if (tag == WireFormatTag.varint(1)) {
                number = in.readInt64();
            } else if (tag == WireFormatTag.bytes(2)) {
                indexLength = in.readRawVarint32();
                index = begin + in.getTotalBytesRead();
                in.skipRawBytes(indexLength);
            } else {
                in.skipField(tag);
            }
        }
        return parse(number, bytes, index, indexLength);
    }

    private static int shardOf(byte[] bytes, int begin, int length) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(bytes, begin, length);
        int tag = in.readTag();
        while (tag != 0) {
            if (tag == WireFormatTag.varint(1)) {
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

    /** Of its own frames. */
    int sizeBytes() {
        return sizeBytes;
    }

    /** The indexes of earlier files that this one carries; not all of them need exist any more. */
    List<JournalIndex> earlier() {
        return earlier;
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

        static int varint(int field) {
            return field << 3 | WireFormat.WIRETYPE_VARINT;
        }
    }
}
