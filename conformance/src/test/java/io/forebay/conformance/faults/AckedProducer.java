package io.forebay.conformance.faults;

import io.forebay.conformance.harness.KeyedRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records in order from a thread of its own, retries for as long as a test lasts, and keeps where each one was
 * acknowledged. Acknowledgements come on the client's thread; read them after {@link #finish}.
 */
final class AckedProducer {

    /** Some 200,000 records a second at most, so that there is a middle of the stream to kill in. */
    private static final int RECORDS_PER_PAUSE = 200;

    private static final long PAUSE_NANOS = 1_000_000;

    private final String topic;
    private final List<KeyedRecord> records;
    private final KafkaProducer<byte[], byte[]> producer;
    private final int[] partitions;
    private final long[] offsets;
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    AckedProducer(String bootstrap, String topic, List<KeyedRecord> records, Map<String, Object> settings) {
        this.topic = topic;
        this.records = records;
        this.partitions = new int[records.size()];
        this.offsets = new long[records.size()];
        Map<String, Object> all = new HashMap<>(Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrap,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                "lz4",
                ProducerConfig.LINGER_MS_CONFIG,
                5,
                ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                200,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                150_000L,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                150_000));
        all.putAll(settings);
        this.producer = new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        this.thread = new Thread(this::sendAll, "producer-of-" + topic);
    }

    AckedProducer start() {
        thread.start();
        return this;
    }

    private void sendAll() {
        try {
            for (int i = 0; i < records.size() && failure.get() == null; i++) {
                if (i % RECORDS_PER_PAUSE == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                int index = i;
                KeyedRecord record = records.get(i);
                var unused = producer.send(
                        new ProducerRecord<>(topic, record.key(), record.value()),
                        (place, exception) -> completed(index, place, exception));
            }
            producer.flush();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, e);
        } finally {
            producer.close();
        }
    }

    private void completed(int index, RecordMetadata place, Exception exception) {
        if (exception != null) {
            failure.compareAndSet(null, exception);
            return;
        }
        partitions[index] = place.partition();
        offsets[index] = place.offset();
        int ignored = acknowledged.incrementAndGet();
    }

    /** How many records are acknowledged by now. */
    int acknowledged() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("a record was not acknowledged", failed);
        }
        return acknowledged.get();
    }

    /** Waits until all are acknowledged; fails if one was not. */
    void finish() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        if (acknowledged() != records.size()) {
            throw new AssertionError("acknowledged " + acknowledged() + " of " + records.size());
        }
    }

    /** Fails unless every record was seen where it was acknowledged. A retry may not know its offset: then skipped. */
    void assertAllIn(SeenRecords seen) {
        for (int i = 0; i < offsets.length; i++) {
            if (offsets[i] >= 0) {
                seen.assertHolds(partitions[i], offsets[i], records.get(i));
            }
        }
    }
}
