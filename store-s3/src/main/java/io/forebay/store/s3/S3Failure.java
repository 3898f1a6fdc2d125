package io.forebay.store.s3;

import io.forebay.store.StoreException;

/** A request that S3 did not grant, and what that means. Does not leave this package: callers get {@link #toStoreException}. */
final class S3Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What the answer, or its absence, means for the request. */
    enum Meaning {
        /** No such object. */
        NOT_FOUND,
        /** Its condition did not hold: the key was taken. Nothing was done. */
        TAKEN,
        /** Another request for the same key was under way. Nothing was done; worth another try. */
        CONFLICT,
        /** Too many requests. May have been done all the same; worth another try, later. */
        THROTTLED,
        /** Nobody knows whether it was done: no answer, a broken connection, an error inside the store. Worth another try. */
        NO_ANSWER,
        /** The range begins at the object's end or behind it. */
        BEHIND_END,
        /** There is no such multipart upload any more. */
        UPLOAD_GONE,
        /** No space or quota left. Nothing was done. */
        FULL,
        /** It will never be granted like this. Nothing was done. */
        REFUSED
    }

    private final Meaning meaning;
    private final Throwable origin;

    S3Failure(Meaning meaning, String message, Throwable cause) {
        super(message, cause);
        this.meaning = meaning;
        this.origin = cause;
    }

    Meaning meaning() {
        return meaning;
    }

    /** Whether the same request may be granted a little later. */
    boolean passing() {
        return switch (meaning) {
            case CONFLICT, THROTTLED, NO_ANSWER -> true;
            case NOT_FOUND, TAKEN, BEHIND_END, UPLOAD_GONE, FULL, REFUSED -> false;
        };
    }

    /** Whether a write may have taken effect, or may still. */
    boolean ambiguous() {
        return meaning == Meaning.THROTTLED || meaning == Meaning.NO_ANSWER;
    }

    StoreException toStoreException() {
        StoreException.Kind kind = switch (meaning) {
            case NOT_FOUND -> StoreException.Kind.NOT_FOUND;
            case CONFLICT, THROTTLED, NO_ANSWER -> StoreException.Kind.UNAVAILABLE;
            case FULL -> StoreException.Kind.FULL;
            case TAKEN, BEHIND_END, UPLOAD_GONE, REFUSED -> StoreException.Kind.INVALID;
        };
        return new StoreException(kind, String.valueOf(getMessage()), origin);
    }
}
