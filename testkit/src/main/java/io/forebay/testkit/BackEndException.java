package io.forebay.testkit;

/**
 * What the library below a store would have thrown. Real stores wrap such exceptions in theirs, so whoever looks for a {@link io.forebay.store.StoreException} must not look
 * through it.
 */
final class BackEndException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BackEndException() {
        super("what the library below the store says");
    }
}
