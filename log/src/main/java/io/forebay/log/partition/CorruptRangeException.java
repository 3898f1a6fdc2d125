package io.forebay.log.partition;

/** Stored bytes of some records are damaged. The records around them can be read. Never retried. */
public final class CorruptRangeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String object;
    private final long position;
    private final long partitionId;
    private final long firstOffset;
    private final long nextOffset;

    /**
     * @param object key of the damaged object
     * @param position where the damage begins in it, in bytes
     * @param firstOffset first offset that cannot be read
     * @param nextOffset first offset behind the damage
     */
    public CorruptRangeException(
            String object, long position, long partitionId, long firstOffset, long nextOffset, String reason) {
        super("object " + object + ", position " + position + ", partition " + partitionId + ", offsets " + firstOffset
                + " to " + (nextOffset - 1) + ": " + reason);
        this.object = object;
        this.position = position;
        this.partitionId = partitionId;
        this.firstOffset = firstOffset;
        this.nextOffset = nextOffset;
    }

    public String object() {
        return object;
    }

    public long position() {
        return position;
    }

    public long partitionId() {
        return partitionId;
    }

    public long firstOffset() {
        return firstOffset;
    }

    public long nextOffset() {
        return nextOffset;
    }
}
