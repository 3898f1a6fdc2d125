package io.forebay.store;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The only writer of one growing object. Owned by one thread (the journal loop), one append at a time.
 *
 * <p>The local back end does its work on the calling thread and returns a completed future: the journal loop is the one
 * loop that may block.
 */
public interface Appender {

    /**
     * Appends all bytes and makes them durable (as the back end's sync setting defines it). After any outcome other
     * than {@link AppendOutcome.Durable} this object is never written again by anyone.
     */
    CompletableFuture<AppendOutcome> append(List<ByteBuffer> bytes);

    /** Ends writing. The object stays readable; durability is that of the last append. */
    CompletableFuture<Void> close();
}
