package io.forebay.cluster.root;

/** Somebody else claimed the term first. */
public final class TermTakenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TermTakenException(long term) {
        super("term " + term + " was claimed by another process");
    }
}
