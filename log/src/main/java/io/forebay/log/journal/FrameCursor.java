package io.forebay.log.journal;

/**
 * Walks over frames as an index knows them, without an object per frame: the accessors speak of the frame that the last
 * {@link #next} found. Owned by one thread.
 */
public interface FrameCursor {

    /** Moves to the next frame; false when there is none. */
    boolean next();

    FrameKind kind();

    /**
     * Whether the frame's bytes are known to be damaged: its header is whole, its body is not. Offsets count as used, timestamps
     * and producer fields mean nothing, the body cannot be read.
     */
    boolean damaged();

    /** Number of the journal file. */
    long file();

    /** Where the frame's header begins in the file. */
    int position();

    /** Where the frame's body begins in the file. */
    int bodyPosition();

    int bodyLength();

    long partitionId();

    long epoch();

    long baseOffset();

    int recordCount();

    /** Largest timestamp of the batch, ms; -1 for other kinds. */
    long maxTimestamp();

    /** Attributes of the batch, as {@link io.forebay.log.batch.MarkerView#attributes} says them; 0 for other kinds. */
    short attributes();

    /** -1: none. */
    long producerId();

    short producerEpoch();

    /** Of a marker: the epoch of the coordinator that decided. */
    int baseSequence();
}
