package io.forebay.log.journal;

/** The session's journal takes no more frames. */
public final class JournalEndedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why a journal ended. */
    public enum Reason {
        /** Somebody fenced this session: others own its shards now. */
        FENCED,
        /** The store failed and no new file could be made. */
        STORE_FAILED,
        /** It was closed in good order. */
        CLOSED
    }

    private final Reason reason;

    public JournalEndedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
