package io.forebay.log.batch;

import io.forebay.model.ByteRun;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads record batches that lie in the pieces of a {@link ByteRun}, also where one lies across two pieces. Positions count
 * from the beginning of the run. Owned by one thread; good as long as the run is not released.
 */
public final class RunView {

    private final List<ByteBuffer> parts;
    private final int sizeBytes;
    private final CRC32C crc = new CRC32C();

    /** The piece that was read last, and where it begins in the run. */
    private int part;

    private int partStart;

    public RunView(ByteRun run) {
        this.parts = run.parts();
        this.sizeBytes = run.sizeBytes();
    }

    public int sizeBytes() {
        return sizeBytes;
    }

    public byte getByte(int at) {
        seek(at);
        ByteBuffer bytes = parts.get(part);
        return bytes.get(bytes.position() + at - partStart);
    }

    public int getInt(int at) {
        seek(at);
        ByteBuffer bytes = parts.get(part);
        int in = at - partStart;
        if (in + Integer.BYTES <= bytes.remaining()) {
            return bytes.getInt(bytes.position() + in);
        }
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << 8 | (getByte(at + i) & 0xff);
        }
        return value;
    }

    public long getLong(int at) {
        return (long) getInt(at) << 32 | (getInt(at + Integer.BYTES) & 0xffff_ffffL);
    }

    /** CRC32C of a part of the run. */
    public int crc(int from, int length) {
        crc.reset();
        int left = length;
        int at = from;
        while (left > 0) {
            seek(at);
            ByteBuffer bytes = parts.get(part).duplicate();
            int in = at - partStart;
            int take = Math.min(left, bytes.remaining() - in);
            bytes.position(bytes.position() + in);
            bytes.limit(bytes.position() + take);
            crc.update(bytes);
            at += take;
            left -= take;
        }
        return (int) crc.getValue();
    }

    /** Copies a part of the run to the destination. */
    public void copy(int from, int length, ByteBuffer destination) {
        int left = length;
        int at = from;
        while (left > 0) {
            seek(at);
            ByteBuffer bytes = parts.get(part);
            int in = at - partStart;
            int take = Math.min(left, bytes.remaining() - in);
            destination.put(destination.position(), bytes, bytes.position() + in, take);
            destination.position(destination.position() + take);
            at += take;
            left -= take;
        }
    }

    /** Base offset of the batch at {@code at}. */
    public long baseOffset(int at) {
        return getLong(at);
    }

    /** Bytes of the whole batch at {@code at}, as its length field says. */
    public int batchBytes(int at) {
        return BatchView.LENGTH_OVERHEAD + getInt(at + 8);
    }

    public int leaderEpoch(int at) {
        return getInt(at + 12);
    }

    /** One more than the last offset of the batch at {@code at}. */
    public long nextOffset(int at) {
        return baseOffset(at) + getInt(at + 23) + 1;
    }

    public long maxTimestampMs(int at) {
        return getLong(at + 35);
    }

    /** Whether a batch of exactly {@code length} bytes with this base offset lies at {@code at} and its own CRC is right. */
    public boolean holdsBatch(int at, int length, long baseOffset) {
        return length >= BatchView.HEADER_BYTES
                && at + length <= sizeBytes
                && batchBytes(at) == length
                && baseOffset(at) == baseOffset
                && getByte(at + 16) == BatchView.MAGIC
                && getInt(at + 17) == crc(at + BatchView.CRC_FROM, length - BatchView.CRC_FROM);
    }

    /** Makes {@link #part} the piece that holds the byte. */
    private void seek(int at) {
        if (at < 0 || at >= sizeBytes) {
            throw new IndexOutOfBoundsException(at + " of " + sizeBytes);
        }
        if (at < partStart) {
            part = 0;
            partStart = 0;
        }
        while (at >= partStart + parts.get(part).remaining()) {
            partStart += parts.get(part).remaining();
            part++;
        }
    }
}
