package io.forebay.server.cli;

/** A node could not start. The message is one sentence for the user. */
public final class NodeStartException extends Exception {
    private static final long serialVersionUID = 1L;

    public NodeStartException(String message) {
        super(message);
    }

    public NodeStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
