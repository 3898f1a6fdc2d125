package io.forebay.bench.load;

import java.time.Duration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Reads a number of records from the beginning of all partitions with one consumer without a group. */
final class ConsumeLoad {
    private static final long STALL_NANOS = 30_000_000_000L;

    private ConsumeLoad() {}

    static Line run(Line request) {
        TopicSet topics = TopicSet.of(request);
        long records = request.number("records");
        try (KafkaConsumer<byte[], byte[]> consumer = Clients.consumer(request)) {
            consumer.assign(topics.all());
            topics.names().forEach(consumer::partitionsFor);

            Meter meter = Meter.start(request);
            consumer.seekToBeginning(consumer.assignment());
            long seen = 0;
            long bytes = 0;
            long last = System.nanoTime();
            while (seen < records) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    seen++;
                    bytes += record.value().length;
                    last = System.nanoTime();
                }
                if (System.nanoTime() - last > STALL_NANOS) {
                    throw new IllegalStateException(seen + " of " + records + " records came, then none for 30 s");
                }
            }
            Line answer = meter.stop(Line.of("ok"));

            return answer.with("bytes", bytes);
        }
    }
}
