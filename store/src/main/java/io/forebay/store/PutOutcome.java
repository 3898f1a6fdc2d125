package io.forebay.store;

/** What became of a conditional put. A new constant must break every switch over it. */
public enum PutOutcome {
    /** The object is there, durable, and was made by this call. */
    WRITTEN,
    /** The key was taken before; nothing was written. */
    ALREADY_EXISTS,
    /**
     * Nobody knows: the object may be there, now or later. Read back and compare, or put the same bytes again. Never
     * treat it as a failure.
     */
    OUTCOME_UNKNOWN
}
