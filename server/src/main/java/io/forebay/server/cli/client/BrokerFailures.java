package io.forebay.server.cli.client;

import io.forebay.server.cli.terminal.CommandFailure;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Turns what the client library throws into a sentence for the user. */
public final class BrokerFailures {
    private BrokerFailures() {}

    public static CommandFailure explain(Throwable problem) {
        Throwable cause = unwrap(problem);
        if (cause instanceof CommandFailure known) {
            return known;
        }
        if (cause instanceof ConfigException) {
            return CommandFailure.usage(sentence(cause));
        }
        return CommandFailure.failed(sentence(cause), problem);
    }

    /** Somebody ended the wait of this thread. */
    public static CommandFailure interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return CommandFailure.failed("interrupted", cause);
    }

    /** What the client library threw where a command's failure stands for that; else the failure itself. */
    public static Throwable causeOf(CommandFailure failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure : unwrap(cause);
    }

    /** The exception inside the wrappers that futures put around it. */
    public static Throwable unwrap(Throwable problem) {
        Throwable cause = problem;
        while (cause instanceof ExecutionException || cause instanceof CompletionException) {
            Throwable inner = cause.getCause();
            if (inner == null) {
                return cause;
            }
            cause = inner;
        }
        return cause;
    }

    private static String sentence(Throwable cause) {
        String message = cause.getMessage() == null || cause.getMessage().isBlank()
                ? cause.getClass().getSimpleName()
                : cause.getMessage();
        if (cause instanceof TimeoutException) {
            return "the broker did not answer in time: " + message;
        }
        if (cause instanceof UnsupportedVersionException) {
            return "the broker does not offer this: " + message;
        }
        if (cause instanceof AuthenticationException) {
            return "the broker refused to log in: " + message;
        }
        if (cause instanceof GroupNotEmptyException || cause instanceof UnknownMemberIdException) {
            return "the group has active members: stop them first";
        }
        if (cause instanceof GroupIdNotFoundException) {
            return "there is no such group: " + message;
        }
        if (cause instanceof UnknownTopicOrPartitionException) {
            return "there is no such topic or partition: " + message;
        }
        if (cause instanceof InterruptException) {
            return "interrupted";
        }
        if (cause instanceof ApiException) {
            return "the broker refused: " + message;
        }
        return cause instanceof KafkaException
                ? message
                : cause.getClass().getSimpleName() + ": " + message + " (--verbose shows where)";
    }
}
