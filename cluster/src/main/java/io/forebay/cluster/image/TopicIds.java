package io.forebay.cluster.image;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Topic ids: 128 random bits, persisted as 16 bytes big-endian. */
public final class TopicIds {

    private TopicIds() {}

    /** An id that is none of those which Kafka reserves (0 and 1). */
    public static UUID random(RandomGenerator random) {
        while (true) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            if (id.getMostSignificantBits() != 0 && !startsWithDash(id)) {
                return id;
            }
        }
    }

    /** In Kafka's text form such an id looks like an option to command-line tools. */
    private static boolean startsWithDash(UUID id) {
        return id.getMostSignificantBits() >>> 58 == 62;
    }

    /** 16 bytes, big-endian. */
    public static ByteString toBytes(UUID id) {
        ByteBuffer bytes = ByteBuffer.allocate(16);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
        return ByteString.copyFrom(bytes.flip());
    }

    /** Reads {@link #toBytes}. */
    public static UUID fromBytes(ByteString bytes) {
        ByteBuffer b = bytes.asReadOnlyByteBuffer();
        return new UUID(b.getLong(), b.getLong());
    }
}
