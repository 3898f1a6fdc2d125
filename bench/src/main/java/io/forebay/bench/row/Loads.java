package io.forebay.bench.row;

import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;

/** The requests that rows send to the client. Pure. */
final class Loads {
    static final int STREAM_BATCH = 64 * 1024;
    static final int MANY_BATCH = 16 * 1024;

    private static final long CLIENT_DEFAULT_BUFFER = 32L << 20;
    private static final long MANY_BUFFER = 256L << 20;
    private static final int CLIENT_DEFAULT_LINGER_MS = 5;

    private Loads() {}

    /** Full batches to a few partitions, as fast as it goes. */
    static Line produce(TopicSet topics, long records) {
        return producer(topics.addTo(Line.of("produce")), STREAM_BATCH, CLIENT_DEFAULT_LINGER_MS, CLIENT_DEFAULT_BUFFER)
                .with("records", records)
                .with("spread", "sticky");
    }

    /** Each record to the next partition, as fast as it goes. */
    static Line spread(TopicSet topics, long records) {
        return producer(topics.addTo(Line.of("produce")), MANY_BATCH, CLIENT_DEFAULT_LINGER_MS, MANY_BUFFER)
                .with("records", records)
                .with("spread", "each");
    }

    /** Everything from the beginning. */
    static Line consume(TopicSet topics, long records) {
        return topics.addTo(Line.of("consume")).with("records", records);
    }

    /** A fixed rate of records a second. */
    static Line paced(TopicSet topics, double rate, int seconds, int lingerMs) {
        return producer(topics.addTo(Line.of("paced")), STREAM_BATCH, lingerMs, CLIENT_DEFAULT_BUFFER)
                .with("rate", rate)
                .with("seconds", seconds)
                .with("tail", false);
    }

    private static Line producer(Line line, int batch, int lingerMs, long buffer) {
        return line.with("batch", batch).with("linger", lingerMs).with("buffer", buffer);
    }
}
