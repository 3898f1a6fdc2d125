package io.forebay.bench.load;

import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Produces a number of records as fast as the client's buffer allows, from one thread. {@code spread=sticky} leaves the
 * choice of a partition to the client (full batches); {@code spread=each} gives every record to the next partition.
 */
final class ProduceLoad {
    private ProduceLoad() {}

    static Line run(Line request) {
        TopicSet topics = TopicSet.of(request);
        long records = request.number("records");
        boolean sticky = request.text("spread").equals("sticky");
        byte[][] values = Clients.values();
        List<TopicPartition> partitions = topics.all();
        Acks acks = new Acks();
        try (KafkaProducer<byte[], byte[]> producer = Clients.producer(request)) {
            topics.names().forEach(producer::partitionsFor);

            Meter meter = Meter.start(request);
            for (long i = 0; i < records; i++) {
                TopicPartition next = partitions.get((int) (i % partitions.size()));
                Integer partition = sticky ? null : (Integer) next.partition();
                byte[] value = values[(int) (i % values.length)];
                Acks.send(producer, new ProducerRecord<>(next.topic(), partition, null, value), acks);
            }
            producer.flush();
            Line answer = meter.stop(Line.of("ok"));

            acks.demand(records);
            return answer.with("bytes", records * Clients.VALUE_BYTES);
        }
    }
}
