package io.forebay.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Creates and deletes topics, and writes one record to every partition of a set. */
final class TopicLoad {
    /** Topics asked for in one request, as a tool that makes many topics would. */
    private static final int TOPICS_PER_REQUEST = 8;

    private static final byte[] MARK = "mark".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    private TopicLoad() {}

    /** Answers {@code created}, seconds until all requests were answered. */
    static Line create(Line request) throws InterruptedException, ExecutionException {
        TopicSet topics = TopicSet.of(request);
        try (Admin admin = Clients.admin(request)) {
            // Connected before the clock starts.
            admin.describeCluster().nodes().get();
            long start = System.nanoTime();
            List<String> names = topics.names();
            for (int i = 0; i < names.size(); i += TOPICS_PER_REQUEST) {
                List<NewTopic> some = new ArrayList<>();
                for (String name : names.subList(i, Math.min(names.size(), i + TOPICS_PER_REQUEST))) {
                    some.add(new NewTopic(name, topics.partitions(), (short) 1));
                }
                admin.createTopics(some).all().get();
            }
            return Line.of("ok").with("created", secondsSince(start));
        }
    }

    /** Answers when the requests are answered; the server may delete data later. */
    static Line delete(Line request) throws InterruptedException, ExecutionException {
        try (Admin admin = Clients.admin(request)) {
            admin.deleteTopics(TopicSet.of(request).names()).all().get();
            return Line.of("ok");
        }
    }

    /**
     * Sends one record to each partition and waits for all acknowledgements, however long the server keeps a partition
     * waiting. Answers {@code written}, seconds.
     */
    static Line mark(Line request) {
        TopicSet topics = TopicSet.of(request);
        Acks acks = new Acks();
        try (KafkaProducer<byte[], byte[]> producer = Clients.probe(request)) {
            long start = System.nanoTime();
            for (TopicPartition partition : topics.all()) {
                Acks.send(producer, new ProducerRecord<>(partition.topic(), partition.partition(), null, MARK), acks);
            }
            producer.flush();
            acks.demand(topics.total());
            return Line.of("ok").with("written", secondsSince(start));
        }
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
