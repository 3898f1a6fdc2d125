package io.forebay.cluster.control;

import com.google.protobuf.ByteString;
import io.forebay.log.journal.Maker;
import java.nio.ByteBuffer;

/** The id of a process or an incarnation as messages carry it: 16 bytes. */
public final class MakerBytes {

    private static final int BYTES = 16;

    private MakerBytes() {}

    public static ByteString of(Maker maker) {
        return ByteString.copyFrom(ByteBuffer.allocate(BYTES)
                .putLong(maker.high())
                .putLong(maker.low())
                .flip());
    }

    /** The id in these bytes; if they are none, that of nobody. */
    static Maker read(ByteString bytes) {
        ByteBuffer id = bytes.asReadOnlyByteBuffer();
        return id.remaining() == BYTES ? new Maker(id.getLong(), id.getLong()) : new Maker(0, 0);
    }
}
