package io.forebay.cluster.control;

/** A question to another node got no answer. */
public final class UnansweredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean mayHaveArrived;

    /**
     * Says why there is no answer.
     *
     * @param mayHaveArrived false if it is certain that nothing was done: the connection was refused
     */
    public UnansweredException(String message, boolean mayHaveArrived) {
        super(message);
        this.mayHaveArrived = mayHaveArrived;
    }

    /** Whether what was asked for may have been done, or may still be. */
    public boolean mayHaveArrived() {
        return mayHaveArrived;
    }
}
