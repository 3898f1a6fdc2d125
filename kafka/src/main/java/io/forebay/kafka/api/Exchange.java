package io.forebay.kafka.api;

import io.forebay.model.When;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * One request under way, as its handler sees it. The answering methods may be called on any thread; exactly one of them, once.
 */
public interface Exchange {

    RequestContext context();

    default short version() {
        return context().version();
    }

    /** Sends the answer. The message must not change afterwards. */
    void answer(ApiMessage response);

    /**
     * The same, for an answer that refers to memory which others own.
     *
     * @param whenGone runs once when the answer's bytes are not needed any more, sent or not, on the connection's loop
     */
    void answer(ApiMessage response, Runnable whenGone);

    /** The request has no answer (acks=0). */
    void answerNothing();

    /** Answers every part of the request with the error that the table of errors has for this failure. */
    void fail(Throwable failure);

    /** Answers when the future completes: with the message, or as {@link #fail} does. */
    default void answerWhen(CompletableFuture<? extends ApiMessage> response) {
        When.done(response, (message, failure) -> {
            if (failure == null) {
                answer(message);
            } else {
                fail(failure);
            }
        });
    }

    /** Closes the connection instead of answering, as Kafka does where the protocol has no other way to tell. */
    void close(String reason);

    /**
     * Keeps the memory of the request, of which its records are slices, for {@code uses} more users. Only while
     * {@link ApiHandler#handle} runs: afterwards the memory goes when the last user lets go, and what the request was admitted with goes
     * when it is also answered or given up.
     */
    void retainMemory(int uses);

    /** Ends one use of the memory. Any thread. */
    void releaseMemory();

    /** Runs the task on the connection's loop if the client goes away before the answer. At most one task; the last one counts. */
    void whenClientGone(Runnable task);

    /**
     * Runs the task on the connection's loop if there is no answer yet when {@code limitMs} milliseconds have passed. At most one task, and
     * only while {@link ApiHandler#handle} runs.
     */
    void whenTimeIsUp(long limitMs, Runnable task);
}
