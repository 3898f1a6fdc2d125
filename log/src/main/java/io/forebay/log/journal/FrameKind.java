package io.forebay.log.journal;

/** What a frame is. Codes are persisted (docs/formats/journal.md). */
public enum FrameKind {
    BATCH(1),
    TRIM(2),
    EPOCH_START(3),
    METADATA(4),
    DELETE_PARTITION(5);

    private final byte code;

    FrameKind(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }
}
