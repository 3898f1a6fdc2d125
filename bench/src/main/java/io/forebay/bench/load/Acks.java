package io.forebay.bench.load;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Counts what a producer's records came to. Called on the producer's network thread, read on any. */
final class Acks implements Callback {
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<String> firstFailure = new AtomicReference<>("");

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception failure) {
        if (failure == null) {
            acknowledged.incrementAndGet();
        } else {
            failed.incrementAndGet();
            firstFailure.compareAndSet("", failure.toString());
        }
    }

    /** Sends a record whose outcome goes to a callback, usually one of these. */
    static void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record, Callback outcome) {
        Future<RecordMetadata> unused = producer.send(record, outcome);
    }

    /** Fails unless every one of so many records was acknowledged. */
    void demand(long records) {
        if (failed.get() > 0 || acknowledged.get() != records) {
            throw new IllegalStateException("%d of %d records acknowledged, %d failed, first: %s"
                    .formatted(acknowledged.get(), records, failed.get(), firstFailure.get()));
        }
    }
}
