package io.forebay.broker.partition;

/** Whoever waits for a produced batch. */
public interface ProduceListener {

    /** The batch's memory is not needed any more. Exactly once, before or after {@link #done}, on any thread. */
    void copied();

    /** The batch is durable, or was refused, or its outcome is unknown (a retriable error). Exactly once, on any thread. */
    void done(ProduceResult result);
}
