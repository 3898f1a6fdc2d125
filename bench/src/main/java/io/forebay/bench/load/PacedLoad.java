package io.forebay.bench.load;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Produces at a fixed rate for some seconds after a short unmeasured lead, and measures acknowledge latency and CPU
 * time. With {@code tail=true} one consumer reads along at the end of all partitions the whole time; each record says when
 * it was due, so that it is known for any part of the time how long records took from there to the consumer ({@link
 * TailTimes}). {@code value} is the size of a value if it is not the usual one.
 */
final class PacedLoad {
    private static final double LEAD_SECONDS = 2;

    private PacedLoad() {}

    static Line run(Line request) {
        TopicSet topics = TopicSet.of(request);
        try (KafkaProducer<byte[], byte[]> producer = Clients.producer(request)) {
            topics.names().forEach(producer::partitionsFor);
            if (!Boolean.parseBoolean(request.text("tail"))) {
                return send(request, topics, producer);
            }
            try (TailReader tail = TailReader.start(request, topics)) {
                Line answer = send(request, topics, producer);
                tail.awaitRecords(answer.number("sent"));
                return answer.with("lag", tail.lagMillis());
            }
        }
    }

    private static Line send(Line request, TopicSet topics, KafkaProducer<byte[], byte[]> producer) {
        double rate = request.decimal("rate");
        long lead = (long) (rate * LEAD_SECONDS);
        long records = lead + (long) (rate * request.decimal("seconds"));
        byte[][] values =
                Clients.values(request.fields().containsKey("value") ? request.count("value") : Clients.VALUE_BYTES);
        List<String> names = topics.names();
        Acks acks = new Acks();
        Latencies latencies = new Latencies();

        Pace pace = new Pace(System.nanoTime(), rate);
        Meter meter = Meter.start(request);
        for (long i = 0; i < records; i++) {
            if (i == lead) {
                meter = Meter.start(request);
            }
            long due = pace.due(i);
            pace.await(due);
            byte[] value = values[(int) (i % values.length)];
            // The client has copied the value when it returns.
            ByteBuffer.wrap(value).putLong(due);
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(names.get((int) (i % names.size())), value);
            Acks.send(producer, record, i < lead ? acks : latencies.from(due, acks));
        }
        producer.flush();
        Line answer = meter.stop(Line.of("ok"));

        acks.demand(records);
        return latencies.addTo(answer).with("sent", records).with("bytes", (records - lead) * values[0].length);
    }
}
