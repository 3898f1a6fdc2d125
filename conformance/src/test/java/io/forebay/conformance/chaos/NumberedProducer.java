package io.forebay.conformance.chaos;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** An idempotent producer that sends numbered values at a steady pace, retries for ever, and keeps where each was acknowledged. */
final class NumberedProducer {

    private static final long FINISH_LIMIT_MS = 120_000;

    private final String topic;
    private final int number;
    private final long paceNanos;
    private final Waits waits;
    private final Findings findings;
    private final SentRecords sent = new SentRecords();
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread thread;
    private volatile boolean ending;

    /** @param perSecond records a second at most */
    NumberedProducer(String bootstrap, String topic, int number, int perSecond, Waits waits, Findings findings) {
        this.topic = topic;
        this.number = number;
        this.paceNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.waits = waits;
        this.findings = findings;
        this.producer = new KafkaProducer<>(
                Map.ofEntries(
                        Map.entry(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap),
                        Map.entry(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true),
                        Map.entry(ProducerConfig.ACKS_CONFIG, "all"),
                        Map.entry(ProducerConfig.LINGER_MS_CONFIG, 5),
                        Map.entry(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE),
                        Map.entry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE),
                        Map.entry(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000),
                        Map.entry(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE),
                        Map.entry(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 50L),
                        Map.entry(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 50L),
                        Map.entry(ProducerConfig.RECONNECT_BACKOFF_MS_CONFIG, 50L),
                        Map.entry(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 50L)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        this.thread = new Thread(this::sendAll, "chaos-producer-" + number);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void sendAll() {
        try {
            while (!ending) {
                send();
                LockSupport.parkNanos(paceNanos);
            }
            producer.flush();
        } catch (RuntimeException e) {
            findings.add(Findings.Kind.FAILED, "producer " + number + " stopped: " + e);
        }
    }

    private void send() {
        NumberedValue value = new NumberedValue(number, sent.next());
        long sentAt = System.nanoTime();
        var unused = producer.send(new ProducerRecord<>(topic, value.key(), value.bytes()), (place, failure) -> {
            if (failure == null) {
                sent.acknowledged(value.sequence(), place.partition(), place.offset());
                waits.acknowledged(place.partition(), sentAt, System.nanoTime());
            } else {
                findings.add(Findings.Kind.FAILED, value + " was not acknowledged: " + failure);
            }
        });
    }

    /** Stops sending and waits until everything is acknowledged; what is not after two minutes is a finding. */
    void finish() {
        ending = true;
        try {
            thread.join(FINISH_LIMIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        if (thread.isAlive()) {
            findings.add(
                    Findings.Kind.FAILED,
                    "producer " + number + " has only " + sent.acknowledged() + " of " + sent.count()
                            + " records acknowledged " + FINISH_LIMIT_MS + " ms after the last fault");
        }
        producer.close(Duration.ZERO);
    }

    int number() {
        return number;
    }

    SentRecords sent() {
        return sent;
    }
}
