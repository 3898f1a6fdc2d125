package io.forebay.bench.cluster;

import io.forebay.bench.load.ClientProcess;
import io.forebay.bench.load.Line;
import io.forebay.bench.load.TopicSet;
import java.time.Duration;

/** The requests that rows send to client processes. */
final class ClusterLoads {
    private static final int BATCH_BYTES = 64 << 10;
    private static final int LINGER_MS = 5;
    private static final long BUFFER_BYTES = 32L << 20;

    private ClusterLoads() {}

    /** A fixed rate of records a second. */
    static Line paced(String bootstrap, long server, TopicSet topics, double rate, int seconds) {
        return producer("paced", bootstrap, server, topics)
                .with("rate", rate)
                .with("seconds", seconds)
                .with("tail", false);
    }

    /** Full batches as fast as it goes. */
    static Line produce(String bootstrap, long server, TopicSet topics, long records) {
        return producer("produce", bootstrap, server, topics)
                .with("records", records)
                .with("spread", "sticky");
    }

    /** Everything from the beginning. */
    static Line consume(String bootstrap, long server, TopicSet topics, long records) {
        return topics.addTo(Line.of("consume"))
                .with("bootstrap", bootstrap)
                .with("server", server)
                .with("records", records);
    }

    private static Line producer(String verb, String bootstrap, long server, TopicSet topics) {
        return topics.addTo(Line.of(verb))
                .with("bootstrap", bootstrap)
                .with("server", server)
                .with("batch", BATCH_BYTES)
                .with("linger", LINGER_MS)
                .with("buffer", BUFFER_BYTES);
    }

    /** Runs a load to its end. */
    static Line call(ClientProcess client, Line request, Duration limit) {
        try {
            return client.call(request, limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
