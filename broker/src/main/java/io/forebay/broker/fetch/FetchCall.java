package io.forebay.broker.fetch;

/** A fetch under way. */
public interface FetchCall {
    /** The client has gone: answer now or never, and hold nothing any more. Any thread. */
    void cancel();
}
