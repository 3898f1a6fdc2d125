package io.forebay.bench.load;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Reads along at the end of all partitions on a thread of its own, from {@link #start} to {@link #close}. */
final class TailReader implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Thread thread = new Thread(this::read, "tail-reader");
    private final AtomicLong seen = new AtomicLong();
    private volatile boolean closing;
    private volatile long lastLagMillis;

    private TailReader(KafkaConsumer<byte[], byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Returns when the end of every partition is known, so that no later record is missed. */
    static TailReader start(Line request, TopicSet topics) {
        KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(request);
        consumer.assign(topics.all());
        consumer.seekToEnd(consumer.assignment());
        consumer.assignment().forEach(consumer::position);
        TailReader reader = new TailReader(consumer);
        TailTimes.forget();
        reader.thread.setDaemon(true);
        reader.thread.start();
        return reader;
    }

    /** Waits until so many records were read; fails when they do not come. */
    void awaitRecords(long records) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (seen.get() < records) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the reader at the end saw " + seen.get() + " of " + records);
            }
            pause();
        }
    }

    /** How old the newest record was when it was read, in milliseconds by the producer's clock. */
    long lagMillis() {
        return lastLagMillis;
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted in a load", e);
        }
    }

    private void read() {
        try (consumer) {
            while (!closing) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    TailTimes.add(ByteBuffer.wrap(record.value()).getLong(), System.nanoTime());
                    seen.incrementAndGet();
                    lastLagMillis = System.currentTimeMillis() - record.timestamp();
                }
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted in a load", e);
        }
    }
}
