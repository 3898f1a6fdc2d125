package io.forebay.log.journal;

import io.forebay.log.cache.PageCache;
import io.forebay.log.cache.TailWriter;
import io.forebay.model.ByteRun;
import io.forebay.store.Appender;
import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One file of the journal while it is being written: where the next frame goes, what is acknowledged, what its index will say. Owned
 * by the journal loop.
 */
final class JournalFile {

    private final long number;
    private final ObjectKey key;
    private final int salt;
    /** Null where files are put whole. */
    private final @Nullable Appender appender;

    private final TailWriter tail;
    private final FrameCodec codec;
    private final JournalIndexBuilder index = new JournalIndexBuilder();
    private final ByteBuffer header;

    private int acknowledgedEnd;

    /** A file that is appended to. */
    JournalFile(JournalPath path, JournalHeader header, Appender appender, PageCache cache, FrameCodec codec) {
        this(path, header.number(), header.encode(), appender, cache, codec);
    }

    /** A file that will be put whole; room is left for its header. */
    JournalFile(JournalPath path, long number, PageCache cache, FrameCodec codec) {
        this(path, number, ByteBuffer.allocate(JournalHeader.BYTES), null, cache, codec);
    }

    private JournalFile(
            JournalPath path,
            long number,
            ByteBuffer header,
            @Nullable Appender appender,
            PageCache cache,
            FrameCodec codec) {
        this.number = number;
        this.key = path.file(number);
        this.salt = FrameCodec.salt(path, number);
        this.appender = appender;
        this.tail = cache.tail(key);
        this.codec = codec;
        this.header = header;
    }

    long number() {
        return number;
    }

    ObjectKey key() {
        return key;
    }

    Appender appender() {
        Appender open = appender;
        if (open == null) {
            throw new IllegalStateException(key + " is put whole");
        }
        return open;
    }

    /** Where the next frame goes; 0 before the first, whose group begins with the file's header. */
    int position() {
        return (int) tail.position();
    }

    /** Everything before is durable and was reported so. */
    int acknowledgedEnd() {
        return acknowledgedEnd;
    }

    int frameCount() {
        return index.frameCount();
    }

    /** Whether it has reached a limit. */
    boolean isFull(JournalConfig config) {
        return position() >= config.fileBytes() || frameCount() >= config.fileFrames();
    }

    /** Makes sure that frames of this size in all can be written; false if there is no memory now. */
    boolean reserve(long frameBytes) {
        return tail.reserve(Math.toIntExact(frameBytes + header.remaining()));
    }

    /** Writes the entry's frame into pages. It must have been reserved. */
    void write(JournalEntry entry, ByteBuffer body) {
        tail.write(header);
        int position = position();
        int bodyLength = body.remaining();
        ByteBuffer frame = codec.encode(entry, body, salt, acknowledgedEnd);
        index.add(
                entry.kind().code(),
                entry.shard(),
                entry.partitionId(),
                position,
                bodyLength,
                entry.epoch(),
                entry.baseOffset(),
                entry.recordCount(),
                body,
                body.position());
        tail.write(frame);
        tail.write(body);
        entry.file = number;
        entry.bodyPosition = position + FrameCodec.HEADER_BYTES;
        entry.bodyLength = bodyLength;
    }

    /** All that was written since the last call. */
    ByteRun takeWritten() {
        return tail.takeWritten();
    }

    /**
     * The whole file as one object: header, frames, index and trailer.
     *
     * @param written all of {@link #takeWritten}; stays the caller's
     * @param carried what it carries of earlier files goes with it; else its own index is added there
     * @param acknowledged see {@link JournalHeader#acknowledged}
     */
    ByteBuffer whole(
            ByteRun written, CarriedIndexes carried, JournalPath path, long acknowledged, Maker maker, long createdMs) {
        int framesEnd = position();
        ByteBuffer encoded = ByteBuffer.wrap(carried.with(number, index.encode(framesEnd)));
        ByteBuffer trailer = JournalTrailer.of(framesEnd, encoded, maker).encode(JournalTrailer.JOURNAL);
        int length = framesEnd + encoded.remaining() + trailer.remaining();
        ByteBuffer all = ByteBuffer.allocate(length);
        for (ByteBuffer part : written.parts()) {
            all.put(part.duplicate());
        }
        all.put(encoded).put(trailer);
        all.put(
                0,
                JournalHeader.whole(path, number, acknowledged, length, maker, createdMs)
                        .encode(),
                0,
                JournalHeader.BYTES);
        return all.flip();
    }

    /** Everything written so far is durable. */
    void acknowledge() {
        acknowledgedEnd = position();
        tail.publish(acknowledgedEnd);
    }

    /** The shards that have frames here, ascending. Some of them may have nothing that was acknowledged. */
    List<Integer> shards() {
        return index.shards();
    }

    /** The encoded index of the acknowledged frames. */
    byte[] encodeIndex() {
        return index.encode(acknowledgedEnd);
    }

    /** No more frames: lets go of memory, forgets what was not acknowledged. */
    void endFrames() {
        tail.close();
        index.clear();
    }
}
