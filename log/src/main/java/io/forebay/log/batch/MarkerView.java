package io.forebay.log.batch;

import java.nio.ByteBuffer;

/**
 * Reads the one record of a transaction marker, a control batch, and says it in the two fields of a batch's header that mean nothing in a marker: so an
 * index of batches tells all of a marker, and recovery needs no bodies.
 *
 * <pre>
 * record: length (varint) | attributes 1 | timestamp delta (varint) | offset delta (varint) | key length (varint) | key | value length (varint) | value
 * key:    version 2 | type 2: 0 abort, 1 commit          value: version 2 | coordinator epoch 4
 * </pre>
 *
 * (Source: Kafka protocol guide, control batches.)
 */
public final class MarkerView {

    /** Set in {@link #attributes} of a marker that commits; a Kafka batch never has it. */
    static final int COMMIT = 0x100;

    private static final int ABORT_TYPE = 0;
    private static final int COMMIT_TYPE = 1;

    private MarkerView() {}

    /** Attributes of any batch as indexes keep them: those of the header, and for a marker whether it commits. */
    public static short attributes(ByteBuffer b, int at) {
        short attributes = BatchView.attributes(b, at);
        return BatchView.isControl(attributes) && type(b, at) == COMMIT_TYPE
                ? (short) (attributes | COMMIT)
                : attributes;
    }

    /** Base sequence of any batch as indexes keep it; for a marker the epoch of the coordinator that decided. */
    public static int sequence(ByteBuffer b, int at) {
        return BatchView.isControl(BatchView.attributes(b, at))
                ? coordinatorEpoch(b, at)
                : BatchView.baseSequence(b, at);
    }

    /** Whether a control batch with such {@link #attributes} commits. */
    public static boolean isCommit(short attributes) {
        return (attributes & COMMIT) != 0;
    }

    /** Whether a control batch is a marker, and whole. */
    public static boolean isMarker(ByteBuffer b, int at) {
        try {
            int type = type(b, at);
            var unused = coordinatorEpoch(b, at);
            return type == ABORT_TYPE || type == COMMIT_TYPE;
        } catch (IndexOutOfBoundsException torn) {
            return false;
        }
    }

    private static int type(ByteBuffer b, int at) {
        return b.getShort(keyAt(b, at) + 2);
    }

    private static int coordinatorEpoch(ByteBuffer b, int at) {
        int valueLengthAt = keyAt(b, at) + zigzag(b, lengthOfKeyAt(b, at));
        return b.getInt(skipVarint(b, valueLengthAt) + 2);
    }

    private static int keyAt(ByteBuffer b, int at) {
        return skipVarint(b, lengthOfKeyAt(b, at));
    }

    private static int lengthOfKeyAt(ByteBuffer b, int at) {
        int attributesAt = skipVarint(b, at + BatchView.HEADER_BYTES);
        return skipVarint(b, skipVarint(b, attributesAt + 1));
    }

    private static int skipVarint(ByteBuffer b, int at) {
        int end = at;
        while ((b.get(end) & 0x80) != 0) {
            end++;
        }
        return end + 1;
    }

    /** The lengths in a marker take one byte. */
    private static int zigzag(ByteBuffer b, int at) {
        int raw = b.get(at) & 0x7f;
        return (raw >>> 1) ^ -(raw & 1);
    }
}
