package io.forebay.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Waits until a server serves: clients that reconnect every 10 to 20 ms send one record to the last partition of a set
 * and read that record back from its offset. Begun while the server is starting.
 */
final class ReadyProbe {
    private static final long READ_NANOS = 60_000_000_000L;

    private ReadyProbe() {}

    /** Answers with the seconds that closing the clients took after the record was read back: a consumer waits for its last fetch. */
    static Line run(Line request) throws InterruptedException, ExecutionException {
        long readAt = readBack(request);
        return Line.of("ok").with("closing", (System.nanoTime() - readAt) / 1e9);
    }

    private static long readBack(Line request) throws InterruptedException, ExecutionException {
        List<TopicPartition> all = TopicSet.of(request).all();
        TopicPartition last = all.get(all.size() - 1);
        try (KafkaProducer<byte[], byte[]> producer = Clients.probe(request);
                KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(request)) {
            byte[] value = new byte[Clients.VALUE_BYTES];
            RecordMetadata sent = producer.send(new ProducerRecord<>(last.topic(), last.partition(), null, value))
                    .get();
            consumer.assign(List.of(last));
            consumer.seek(last, sent.offset());
            long end = System.nanoTime() + READ_NANOS;
            while (System.nanoTime() < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    if (record.offset() == sent.offset()) {
                        return System.nanoTime();
                    }
                }
            }
            throw new IllegalStateException("the record at " + last + " " + sent.offset() + " was not read back");
        }
    }
}
