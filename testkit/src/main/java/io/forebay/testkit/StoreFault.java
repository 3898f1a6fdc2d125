package io.forebay.testkit;

/** What goes wrong with one request to a {@link FaultyStore}. */
public enum StoreFault {
    /** The request fails at once and has no effect. */
    UNAVAILABLE,
    /** No space. Has no effect; an append may leave a part. */
    FULL,
    /** An append writes a part and fails. Other requests: as {@link #UNAVAILABLE}. */
    SHORT_WRITE,
    /** An append writes everything, then the sync fails. Other requests: as {@link #UNAVAILABLE}. */
    FAILED_SYNC,
    /** The caller waits in vain; the request took effect. */
    TIMEOUT_DONE,
    /** The caller waits in vain; the request takes effect much later, maybe after the caller was fenced or is dead. */
    TIMEOUT_LATER,
    /** The caller waits in vain; the request never takes effect. */
    TIMEOUT_NEVER,
    /** Takes long but succeeds. */
    SLOW
}
