package io.forebay.kafka.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a socket brings into frames, and tells the socket where to put what it brings next.
 *
 * <pre>
 *  frame:  length 4 | api key 2 | … length − 2 bytes more
 * </pre>
 *
 * Small reads go into a small shared buffer; frames that lie in it whole are slices of it. As soon as the length of a larger frame
 * is known and admitted, it gets a buffer of exactly its size, and the socket reads straight into that: at most the beginning that
 * came with a small read is copied. Each frame's memory is counted by itself.
 *
 * <p>Owned by the connection's loop.
 */
final class FrameReader extends DefaultMaxMessagesRecvByteBufAllocator {

    /** Size of the shared buffer, and of the largest frame that needs no buffer of its own. */
    static final int SMALL_BYTES = 8 * 1024;

    private static final int LENGTH_BYTES = 4;
    private static final int PEEK_BYTES = LENGTH_BYTES + 2;
    private static final int READS_PER_TURN = 64;

    /** What can be done with the bytes read so far. */
    enum Step {
        /** Nothing before more bytes come. */
        NEEDS_BYTES,
        /** A frame that needs memory of its own has begun: {@link #admit} it. */
        NEEDS_ADMISSION,
        /** A whole frame is here: {@link #take} it. */
        READY,
        /** The length makes no sense; nothing behind it can be understood. */
        BROKEN
    }

    private final int maxFrameBytes;
    private @Nullable ByteBuf small;
    private @Nullable ByteBuf large;

    FrameReader(int maxFrameBytes) {
        super(READS_PER_TURN);
        this.maxFrameBytes = maxFrameBytes;
    }

    /** Where to read to next, with one more use for the caller, who hands it back to {@link #received}. */
    ByteBuf room(ByteBufAllocator allocator) {
        ByteBuf target = large;
        if (target != null && target.isWritable()) {
            return target.retain();
        }
        return smallRoom(allocator).retain();
    }

    /** Whether reading more is of use before a frame was taken. */
    boolean hasRoom() {
        if (large != null) {
            return large.isWritable();
        }
        ByteBuf buffer = small;
        return buffer == null || buffer.isWritable() || buffer.readableBytes() < SMALL_BYTES;
    }

    /** Takes back the buffer that {@link #room} gave; bytes have been written to it. */
    @SuppressWarnings("ReferenceEquality") // the very buffer, not one with the same bytes
    void received(ByteBuf room) {
        boolean unused = room.release();
        if (room != small && room != large) {
            throw new IllegalStateException("bytes were read into a buffer that is not this reader's");
        }
    }

    Step step() {
        ByteBuf frame = large;
        if (frame != null) {
            return frame.isWritable() ? Step.NEEDS_BYTES : Step.READY;
        }
        ByteBuf buffer = small;
        if (buffer == null || buffer.readableBytes() < LENGTH_BYTES) {
            return Step.NEEDS_BYTES;
        }
        int length = length();
        if (length < 0 || length > maxFrameBytes) {
            return Step.BROKEN;
        }
        if (buffer.readableBytes() >= LENGTH_BYTES + length) {
            return Step.READY;
        }
        if (LENGTH_BYTES + length > SMALL_BYTES) {
            return Step.NEEDS_ADMISSION;
        }
        return Step.NEEDS_BYTES;
    }

    /** Length of the frame that has begun, without its length field. */
    int length() {
        ByteBuf frame = large;
        if (frame != null) {
            return frame.capacity();
        }
        ByteBuf buffer = begun();
        return buffer.getInt(buffer.readerIndex());
    }

    /** API key of the frame that is ready; −1 if the frame is too short to have one. */
    int apiKey() {
        ByteBuf frame = large;
        if (frame != null) {
            return frame.capacity() < 2 ? -1 : frame.getShort(0);
        }
        ByteBuf buffer = begun();
        return buffer.readableBytes() < PEEK_BYTES || length() < 2
                ? -1
                : buffer.getShort(buffer.readerIndex() + LENGTH_BYTES);
    }

    /** Whether the frame that is ready has a buffer of its own, which was admitted when it began. */
    boolean isAdmitted() {
        return large != null;
    }

    /** Gives the frame that has begun its own buffer. */
    void admit(ByteBufAllocator allocator) {
        ByteBuf buffer = begun();
        int length = length();
        ByteBuf frame = allocator.directBuffer(length, length);
        buffer.skipBytes(LENGTH_BYTES);
        frame.writeBytes(buffer, Math.min(buffer.readableBytes(), length));
        large = frame;
        letGoIfEmpty();
    }

    /** Hands out the frame that is ready, without its length field; the caller releases it. */
    ByteBuf take() {
        ByteBuf frame = large;
        if (frame != null) {
            large = null;
            return frame;
        }
        ByteBuf buffer = begun();
        int length = length();
        buffer.skipBytes(LENGTH_BYTES);
        ByteBuf taken = buffer.readRetainedSlice(length);
        letGoIfEmpty();
        return taken;
    }

    /** Lets go of everything. */
    void close() {
        if (small != null) {
            boolean unused = small.release();
            small = null;
        }
        if (large != null) {
            boolean unused = large.release();
            large = null;
        }
    }

    private ByteBuf begun() {
        if (small == null) {
            throw new IllegalStateException("no frame has begun");
        }
        return small;
    }

    // An idle connection holds no memory; the next read gets a buffer that the allocator keeps warm for this thread.
    private void letGoIfEmpty() {
        if (small != null && !small.isReadable()) {
            boolean unused = small.release();
            small = null;
        }
    }

    private ByteBuf smallRoom(ByteBufAllocator allocator) {
        ByteBuf buffer = small;
        if (buffer == null) {
            buffer = allocator.directBuffer(SMALL_BYTES, SMALL_BYTES);
        } else if (!roomForFrame(buffer)) {
            // Frames cut from this buffer may still be in use: what isn't cut yet moves to a fresh one.
            int capacity = Math.max(SMALL_BYTES, 2 * buffer.readableBytes());
            ByteBuf next = allocator.directBuffer(capacity, capacity).writeBytes(buffer);
            boolean unused = buffer.release();
            buffer = next;
        }
        small = buffer;
        return buffer;
    }

    private static boolean roomForFrame(ByteBuf buffer) {
        if (!buffer.isWritable()) {
            return false;
        }
        int readable = buffer.readableBytes();
        if (readable < LENGTH_BYTES) {
            return buffer.capacity() - buffer.readerIndex() >= PEEK_BYTES;
        }
        int wanted = LENGTH_BYTES + buffer.getInt(buffer.readerIndex());
        return wanted > SMALL_BYTES || wanted <= buffer.capacity() - buffer.readerIndex();
    }

    @Override
    @SuppressWarnings("deprecation") // the type of the handle is deprecated by name only
    public Handle newHandle() {
        return new MaxMessageHandle() {
            @Override
            public ByteBuf allocate(ByteBufAllocator allocator) {
                return room(allocator);
            }

            @Override
            public int guess() {
                return SMALL_BYTES;
            }
        };
    }
}
