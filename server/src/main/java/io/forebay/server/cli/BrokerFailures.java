package io.forebay.server.cli;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns what a client library throws into a sentence for the user. */
final class BrokerFailures {
    private BrokerFailures() {}

    static CommandFailure explain(Throwable problem) {
        Throwable cause = problem;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return CommandFailure.failed(
                message == null || message.isBlank() ? cause.getClass().getSimpleName() : message, problem);
    }
}
