package io.forebay.kafka.api;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.protocol.Errors;

/**
 * The one place where failures become error codes of the protocol, and where codes become others that older clients know.
 */
public final class ErrorTable {

    private ErrorTable() {}

    /** The code for a failure that is not already an outcome with a code. */
    public static Errors of(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof CancellationException || cause instanceof RejectedExecutionException) {
            return Errors.COORDINATOR_NOT_AVAILABLE;
        }
        if (cause instanceof TimeoutException) {
            return Errors.REQUEST_TIMED_OUT;
        }
        return Errors.forException(cause);
    }

    /** What went wrong beneath the wrappers that futures put around it. */
    public static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * Fetch and Produce: clients of Kafka before 1.0 and 0.11 do not know storage errors; they look for the leader instead and retry.
     *
     * @param lastVersionWithout the last version of the API whose clients do not know the code
     */
    public static Errors storageError(Errors error, short version, int lastVersionWithout) {
        return error == Errors.KAFKA_STORAGE_ERROR && version <= lastVersionWithout
                ? Errors.NOT_LEADER_OR_FOLLOWER
                : error;
    }

    /** Text for a response; null where a response has no text if nothing is wrong. */
    @SuppressWarnings("NullAway") // the protocol classes take null for "no text"
    public static String message(Errors error, String message) {
        if (error == Errors.NONE) {
            return null;
        }
        return message.isEmpty() ? error.message() : message;
    }
}
