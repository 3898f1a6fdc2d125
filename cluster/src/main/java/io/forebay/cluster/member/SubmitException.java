package io.forebay.cluster.member;

/** The controller did not do what it was asked for, or it is not known whether it did. */
public final class SubmitException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean mayHaveHappened;

    /**
     * Says what is wrong.
     *
     * @param mayHaveHappened whether the change may be there, or may still come
     */
    public SubmitException(String message, boolean mayHaveHappened) {
        super(message);
        this.mayHaveHappened = mayHaveHappened;
    }

    /** Whether the change may be there, or may still come. */
    public boolean mayHaveHappened() {
        return mayHaveHappened;
    }
}
