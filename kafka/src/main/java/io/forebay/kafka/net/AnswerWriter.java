package io.forebay.kafka.net;

import io.forebay.kafka.api.RunRecords;
import io.forebay.model.ByteRun;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.ReferenceCounted;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * Encodes one answer: everything but records goes into one buffer of exactly the size needed, records that lie in pages stay there
 * and are named between slices of that buffer.
 *
 * <pre>
 *  length 4 | correlation id 4 | [tagged fields 1] | body
 * </pre>
 */
final class AnswerWriter implements Writable {

    /** The system sends a piece of a file in one go. */
    static final int MAX_PIECE_BYTES = 256 << 10;

    private final ByteBuf buffer;
    private final List<ReferenceCounted> parts = new ArrayList<>(1);
    private int sliceFrom;

    private AnswerWriter(ByteBuf buffer) {
        this.buffer = buffer;
    }

    /**
     * The parts of the encoded answer, in order: buffers and pieces of files; the caller writes or releases each. Memory and files of runs stay with
     * their owner.
     */
    static List<ReferenceCounted> encode(
            ByteBufAllocator allocator, ApiKeys api, short version, int correlationId, ApiMessage body) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        body.addSize(size, cache, version);
        boolean flexible = api.responseHeaderVersion(version) >= 1;
        int headerBytes = flexible ? 5 : 4;
        int inBuffer = Integer.BYTES + headerBytes + size.sizeExcludingZeroCopy();
        ByteBuf buffer = allocator.directBuffer(inBuffer);
        boolean encoded = false;
        try {
            buffer.writeInt(headerBytes + size.totalSize());
            buffer.writeInt(correlationId);
            if (flexible) {
                buffer.writeByte(0);
            }
            AnswerWriter writer = new AnswerWriter(buffer);
            body.write(writer, cache, version);
            encoded = true;
            return writer.finish();
        } finally {
            if (!encoded) {
                boolean unused = buffer.release();
            }
        }
    }

    private List<ReferenceCounted> finish() {
        if (parts.isEmpty()) {
            parts.add(buffer);
            return parts;
        }
        cut();
        boolean unused = buffer.release();
        return parts;
    }

    // What was written since the last cut becomes a part.
    private void cut() {
        int end = buffer.writerIndex();
        if (end > sliceFrom) {
            parts.add(buffer.retainedSlice(sliceFrom, end - sliceFrom));
            sliceFrom = end;
        }
    }

    @Override
    public void writeRecords(BaseRecords records) {
        if (records instanceof RunRecords inRun) {
            if (inRun.sizeInBytes() == 0) {
                return;
            }
            cut();
            addRun(inRun.run());
        } else if (records instanceof MemoryRecords inMemory) {
            buffer.writeBytes(inMemory.buffer());
        } else {
            throw new IllegalArgumentException("records of an unknown kind: " + records.getClass());
        }
    }

    private void addRun(ByteRun run) {
        if (run.inFile()) {
            for (ByteRun.FileRange range : run.ranges()) {
                for (int from = 0; from < range.length(); from += MAX_PIECE_BYTES) {
                    int length = Math.min(MAX_PIECE_BYTES, range.length() - from);
                    parts.add(new FilePiece(range.file(), range.position() + from, length));
                }
            }
        } else {
            List<ByteBuffer> pieces = run.parts();
            for (int i = 0; i < pieces.size(); i++) {
                parts.add(Unpooled.wrappedBuffer(pieces.get(i)));
            }
        }
    }

    @Override
    public void writeByte(byte value) {
        buffer.writeByte(value);
    }

    @Override
    public void writeShort(short value) {
        buffer.writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        buffer.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        buffer.writeLong(value);
    }

    @Override
    public void writeDouble(double value) {
        buffer.writeDouble(value);
    }

    @Override
    public void writeByteArray(byte[] bytes) {
        buffer.writeBytes(bytes);
    }

    @Override
    public void writeByteBuffer(ByteBuffer bytes) {
        buffer.writeBytes(bytes.duplicate());
    }

    @Override
    public void writeUnsignedVarint(int value) {
        int left = value;
        while ((left & ~0x7f) != 0) {
            buffer.writeByte((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        buffer.writeByte(left);
    }

    @Override
    public void writeVarint(int value) {
        writeUnsignedVarint((value << 1) ^ (value >> 31));
    }

    @Override
    public void writeVarlong(long value) {
        long left = (value << 1) ^ (value >> 63);
        while ((left & ~0x7fL) != 0) {
            buffer.writeByte((int) (left & 0x7f) | 0x80);
            left >>>= 7;
        }
        buffer.writeByte((int) left);
    }
}
