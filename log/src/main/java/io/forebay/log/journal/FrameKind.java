package io.forebay.log.journal;

import org.jspecify.annotations.Nullable;

/** What a frame is. Codes are persisted (docs/formats/journal.md). */
public enum FrameKind {
    BATCH(1),
    TRIM(2),
    EPOCH_START(3),
    METADATA(4),
    DELETE_PARTITION(5);

    private static final @Nullable FrameKind[] BY_CODE = new @Nullable FrameKind[6];

    static {
        for (FrameKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final byte code;

    FrameKind(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    /** The kind with this code, or null if this version knows none. */
    static @Nullable FrameKind ofCode(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
