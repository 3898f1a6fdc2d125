package io.forebay.log.journal;

import io.forebay.log.cache.PageCache;
import io.forebay.log.cache.TailWriter;
import io.forebay.model.ByteRun;
import io.forebay.store.Appender;
import io.forebay.store.ObjectKey;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One file of the journal while it is being written: where the next frame goes, what is acknowledged, what its index will say. Owned
 * by the journal loop.
 */
final class JournalFile {

    private final long number;
    private final ObjectKey key;
    private final int salt;
    private final Appender appender;
    private final TailWriter tail;
    private final FrameCodec codec;
    private final JournalIndexBuilder index = new JournalIndexBuilder();
    private final ByteBuffer header;

    private int acknowledgedEnd;

    JournalFile(JournalPath path, JournalHeader header, Appender appender, PageCache cache, FrameCodec codec) {
        this.number = header.number();
        this.key = path.file(number);
        this.salt = FrameCodec.salt(path, number);
        this.appender = appender;
        this.tail = cache.tail(key);
        this.codec = codec;
        this.header = header.encode();
    }

    long number() {
        return number;
    }

    ObjectKey key() {
        return key;
    }

    Appender appender() {
        return appender;
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
