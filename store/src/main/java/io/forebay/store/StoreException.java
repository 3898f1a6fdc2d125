package io.forebay.store;

/** The environment failed. The kind tells the caller what to do. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What the caller can do about it. */
    public enum Kind {
        /** Try again later: time-outs, resets, throttling. The outcome of a write is unknown. */
        UNAVAILABLE,
        /** No space or quota left. Nothing was written, or an unknown part of an append. Try again when there is space. */
        FULL,
        /** There is no such object. Retrying is useless; a reader reloads the manifest. */
        NOT_FOUND,
        /** Stored bytes are damaged. Never retried. */
        CORRUPT,
        /** The request or the store's configuration is wrong. Never retried. */
        INVALID
    }

    private final Kind kind;

    public StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
