package io.forebay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Clients that send without reading, or ask without taking the answer, for more than the server's heap of 512 MiB: it stops
 * reading from them, and lives.
 */
class FloodTest {

    private static final int CONNECTIONS = 8;
    private static final int REQUESTS_EACH = 100;
    private static final int RECORD_BYTES = 900_000;

    @RegisterExtension
    static final BrokerExtension BROKER =
            new BrokerExtension().set("request.max.bytes", "4MiB").set("produce.inflight.max.bytes", "16MiB");

    private static ProduceRequest produceRequest(String topic, MemoryRecords records) {
        ProduceRequestData data = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(60_000);
        data.topicData()
                .add(new ProduceRequestData.TopicProduceData()
                        .setName(topic)
                        .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(records))));
        return new ProduceRequest(data, (short) 9);
    }

    @Test
    void producersThatDoNotReadAreSlowedDownAndNothingIsDropped()
            throws IOException, ExecutionException, InterruptedException, TimeoutException {
        String topic = BROKER.createTopic("flood", 1, Map.of());
        MemoryRecords records = BatchBytes.ofOneRecord(RECORD_BYTES).records();
        ExecutorService senders = Executors.newFixedThreadPool(CONNECTIONS);
        List<RawConnection> connections = new ArrayList<>();
        try {
            List<Future<List<RequestHeader>>> sent = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                RawConnection connection = new RawConnection(BROKER.bootstrap());
                connections.add(connection);
                sent.add(senders.submit(() -> sendAll(connection, topic, records)));
            }
            List<Future<Integer>> acknowledged = new ArrayList<>();
            ExecutorService readers = Executors.newFixedThreadPool(CONNECTIONS);
            for (RawConnection connection : connections) {
                acknowledged.add(readers.submit(() -> readAll(connection)));
            }
            for (int i = 0; i < CONNECTIONS; i++) {
                assertThat(sent.get(i).get(60, TimeUnit.SECONDS)).hasSize(REQUESTS_EACH);
                assertThat(acknowledged.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(REQUESTS_EACH);
            }
            readers.shutdownNow();
        } finally {
            senders.shutdownNow();
            for (RawConnection connection : connections) {
                connection.close();
            }
        }
        fetchersThatDoNotTakeTheirAnswerCostNoMemory(topic);
    }

    private static List<RequestHeader> sendAll(RawConnection connection, String topic, MemoryRecords records)
            throws IOException {
        List<RequestHeader> headers = new ArrayList<>();
        for (int i = 0; i < REQUESTS_EACH; i++) {
            headers.add(connection.send(produceRequest(topic, records)));
        }
        return headers;
    }

    private static int readAll(RawConnection connection) throws IOException {
        int acknowledged = 0;
        for (int i = 1; i <= REQUESTS_EACH; i++) {
            RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, (short) 9, RawConnection.CLIENT_ID, i);
            ProduceResponse response = (ProduceResponse) connection.receive(header);
            short error = response.data()
                    .responses()
                    .iterator()
                    .next()
                    .partitionResponses()
                    .get(0)
                    .errorCode();
            assertThat(Errors.forCode(error)).isEqualTo(Errors.NONE);
            acknowledged++;
        }
        return acknowledged;
    }

    private static void fetchersThatDoNotTakeTheirAnswerCostNoMemory(String topic) throws IOException {
        List<RawConnection> idle = new ArrayList<>();
        try {
            for (int i : IntStream.range(0, 5 * CONNECTIONS).toArray()) {
                RawConnection connection = new RawConnection(BROKER.bootstrap());
                idle.add(connection);
                var unused = connection.send(fetchRequest(topic, i));
            }
            String other = BROKER.createTopic("beside-a-flood", 1, Map.of());
            try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
                ProduceResponse response = (ProduceResponse)
                        connection.ask(produceRequest(other, BatchBytes.of(3).records()));
                assertThat(response.data()
                                .responses()
                                .iterator()
                                .next()
                                .partitionResponses()
                                .get(0)
                                .errorCode())
                        .isEqualTo(Errors.NONE.code());
            }
        } finally {
            for (RawConnection connection : idle) {
                connection.close();
            }
        }
        if (BROKER.isForebay()) {
            assertThat(BROKER.server().log()).doesNotContain("OutOfMemoryError");
        }
    }

    private static FetchRequest fetchRequest(String topic, long offset) {
        FetchRequestData data = new FetchRequestData()
                .setReplicaId(-1)
                .setMaxWaitMs(500)
                .setMinBytes(1)
                .setMaxBytes(55 << 20)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(topic)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(55 << 20)))));
        return new FetchRequest(data, (short) 11);
    }
}
