package io.forebay.conformance.wire;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches that are wrong in one way each get the error that Kafka gives for them, and leave no record behind. */
class ProduceTest {

    private static final short VERSION = 9;
    private static final short ALL = -1;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static AbstractRequest request(String topic, short acks, MemoryRecords records) {
        ProduceRequestData data = new ProduceRequestData().setAcks(acks).setTimeoutMs(10_000);
        data.topicData()
                .add(new ProduceRequestData.TopicProduceData()
                        .setName(topic)
                        .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(records))));
        return new UncheckedProduceRequest(data);
    }

    /** Kafka's own request refuses to carry what is wrong; this one carries anything. */
    private static final class UncheckedProduceRequest extends AbstractRequest {
        private final ProduceRequestData data;

        UncheckedProduceRequest(ProduceRequestData data) {
            super(ApiKeys.PRODUCE, VERSION);
            this.data = data;
        }

        @Override
        public ProduceRequestData data() {
            return data;
        }

        @Override
        public ProduceResponse getErrorResponse(int throttleTimeMs, Throwable failure) {
            throw new UnsupportedOperationException(failure);
        }
    }

    private static PartitionProduceResponse produce(String topic, MemoryRecords records) throws IOException {
        return produce(topic, ALL, records);
    }

    private static PartitionProduceResponse produce(String topic, short acks, MemoryRecords records)
            throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            ProduceResponse response = (ProduceResponse) connection.ask(request(topic, acks, records));
            return response.data()
                    .responses()
                    .iterator()
                    .next()
                    .partitionResponses()
                    .get(0);
        }
    }

    private static Errors error(PartitionProduceResponse response) {
        return Errors.forCode(response.errorCode());
    }

    private static long end(String topic) throws ExecutionException, InterruptedException {
        TopicPartition partition = new TopicPartition(topic, 0);
        return requireNonNull(BROKER.admin()
                        .listOffsets(Map.of(partition, OffsetSpec.latest()))
                        .all()
                        .get()
                        .get(partition))
                .offset();
    }

    private static Arguments batch(String what, Errors expected, UnaryOperator<BatchBytes> change) {
        return Arguments.of(what, expected, change.apply(BatchBytes.of(3)).records());
    }

    static Stream<Arguments> wrongBatches() {
        long inTwoDays = System.currentTimeMillis() + TimeUnit.DAYS.toMillis(2);
        return Stream.of(
                batch("wrong checksum", Errors.CORRUPT_MESSAGE, b -> b.putInt(BatchBytes.CRC, 1)),
                batch("a value changed", Errors.CORRUPT_MESSAGE, b -> b.putByte(BatchBytes.RECORDS + 20, 7)),
                batch(
                        "more records announced",
                        Errors.INVALID_RECORD,
                        b -> b.putInt(BatchBytes.RECORD_COUNT, 4)
                                .putInt(BatchBytes.LAST_OFFSET_DELTA, 3)
                                .sealed()),
                batch(
                        "fewer records announced",
                        Errors.INVALID_RECORD,
                        b -> b.putInt(BatchBytes.RECORD_COUNT, 2)
                                .putInt(BatchBytes.LAST_OFFSET_DELTA, 1)
                                .sealed()),
                batch(
                        "count and last offset differ",
                        Errors.INVALID_RECORD,
                        b -> b.putInt(BatchBytes.RECORD_COUNT, 2).sealed()),
                batch(
                        "no records",
                        Errors.INVALID_RECORD,
                        b -> b.putInt(BatchBytes.RECORD_COUNT, 0)
                                .putInt(BatchBytes.LAST_OFFSET_DELTA, -1)
                                .sealed()),
                batch(
                        "negative count",
                        Errors.INVALID_RECORD,
                        b -> b.putInt(BatchBytes.RECORD_COUNT, -1).sealed()),
                batch("length behind the end", Errors.INVALID_RECORD, b -> b.putInt(BatchBytes.BATCH_LENGTH, 10_000)),
                batch("length too small", Errors.CORRUPT_MESSAGE, b -> b.putInt(BatchBytes.BATCH_LENGTH, 20)),
                batch("negative length", Errors.CORRUPT_MESSAGE, b -> b.putInt(BatchBytes.BATCH_LENGTH, -1)),
                batch("unknown magic", Errors.CORRUPT_MESSAGE, b -> b.putByte(BatchBytes.MAGIC, 9)),
                batch("of an older format", Errors.INVALID_RECORD, b -> b.putByte(BatchBytes.MAGIC, 1)),
                batch(
                        "a control batch",
                        Errors.INVALID_RECORD,
                        b -> b.putShort(BatchBytes.ATTRIBUTES, 0x20).sealed()),
                batch(
                        "unknown compression",
                        Errors.UNKNOWN_SERVER_ERROR,
                        b -> b.putShort(BatchBytes.ATTRIBUTES, 7).sealed()),
                batch(
                        "a record of negative size",
                        Errors.INVALID_RECORD,
                        b -> b.putByte(BatchBytes.RECORDS, 0x01).sealed()),
                batch(
                        "far in the future",
                        Errors.INVALID_TIMESTAMP,
                        b -> b.putLong(BatchBytes.FIRST_TIMESTAMP, inTwoDays)
                                .putLong(BatchBytes.MAX_TIMESTAMP, inTwoDays)
                                .sealed()),
                Arguments.of("cut off", Errors.INVALID_RECORD, BatchBytes.of(3).cutTo(80)),
                Arguments.of(
                        "shorter than a header",
                        Errors.INVALID_RECORD,
                        BatchBytes.of(3).cutTo(10)),
                Arguments.of("nothing", Errors.INVALID_RECORD, MemoryRecords.EMPTY),
                Arguments.of(
                        "two batches", Errors.INVALID_RECORD, BatchBytes.of(3).followedBy(BatchBytes.of(3))));
    }

    /**
     * Forebay does not unpack what comes compressed: the checksum holds, and the offsets need no more. Kafka does, and
     * refuses. Either way only a producer that compresses wrongly is hurt, and the partition goes on.
     */
    @Test
    void goesOnBehindABatchThatWasCompressedWrongly() throws IOException, ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("compressed-wrongly", 1, Map.of());
        MemoryRecords notGzip =
                BatchBytes.of(3).putShort(BatchBytes.ATTRIBUTES, 1).sealed().records();
        MemoryRecords changed = BatchBytes.of(3, Compression.gzip().build())
                .putLong(BatchBytes.RECORDS + 12, -1)
                .sealed()
                .records();

        long taken = 0;
        for (MemoryRecords records : List.of(notGzip, changed)) {
            taken += error(produce(topic, records)) == Errors.NONE ? 3 : 0;
        }

        assertThat(taken).isEqualTo(BROKER.isForebay() ? 6 : 0);
        assertThat(produce(topic, BatchBytes.of(1).records()).baseOffset()).isEqualTo(taken);
        assertThat(end(topic)).isEqualTo(taken + 1);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("wrongBatches")
    void refusesAWrongBatch(String what, Errors expected, MemoryRecords records)
            throws IOException, ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("wrong", 1, Map.of());
        assertThat(error(produce(topic, BatchBytes.of(1).records()))).isEqualTo(Errors.NONE);

        Errors error = error(produce(topic, records));
        if (expected == Errors.UNKNOWN_SERVER_ERROR) {
            // Where Kafka stumbles over its own exception, naming the fault is as good.
            assertThat(error).isIn(expected, Errors.CORRUPT_MESSAGE, Errors.INVALID_RECORD);
        } else {
            assertThat(error).isEqualTo(expected);
        }

        assertThat(error(produce(topic, BatchBytes.of(1).records()))).isEqualTo(Errors.NONE);
        assertThat(end(topic)).isEqualTo(2);
    }

    @Test
    void refusesABatchThatIsTooLarge() throws IOException, ExecutionException, InterruptedException {
        BatchBytes small = BatchBytes.of(1);
        String topic = BROKER.createTopic("large", 1, Map.of("max.message.bytes", Integer.toString(small.size())));

        assertThat(error(produce(topic, BatchBytes.of(50).records()))).isEqualTo(Errors.MESSAGE_TOO_LARGE);
        assertThat(error(produce(topic, small.records()))).isEqualTo(Errors.NONE);
        assertThat(end(topic)).isEqualTo(1);
    }

    @Test
    void refusesWhereThereIsNoSuchTopicOrPartition() throws IOException {
        assertThat(error(produce(BROKER.topicName("nowhere"), BatchBytes.of(1).records())))
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void refusesAcksThatMeanNothing() throws IOException {
        String topic = BROKER.createTopic("acks", 1, Map.of());

        assertThat(error(produce(topic, (short) 2, BatchBytes.of(1).records())))
                .isEqualTo(Errors.INVALID_REQUIRED_ACKS);
        assertThat(error(produce(topic, (short) 1, BatchBytes.of(1).records()))).isEqualTo(Errors.NONE);
    }

    @Test
    void closesWhenABatchThatNobodyAwaitsIsWrong() throws IOException {
        String topic = BROKER.createTopic("no-acks", 1, Map.of());
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            var unused = connection.send(request(
                    topic, (short) 0, BatchBytes.of(1).putInt(BatchBytes.CRC, 1).records()));

            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    @Test
    void checksSequencesAndEpochsOfIdempotentProducers() throws IOException, ExecutionException, InterruptedException {
        String topic = BROKER.createTopic("sequences", 1, Map.of());
        InitProducerIdResponseData producer = newProducer();
        long id = producer.producerId();
        short epoch = producer.producerEpoch();

        assertThat(produce(topic, BatchBytes.idempotent(3, id, epoch, 0).records())
                        .baseOffset())
                .isZero();
        assertThat(produce(topic, BatchBytes.idempotent(2, id, epoch, 3).records())
                        .baseOffset())
                .isEqualTo(3);
        PartitionProduceResponse again =
                produce(topic, BatchBytes.idempotent(3, id, epoch, 0).records());
        assertThat(error(again)).isEqualTo(Errors.NONE);
        assertThat(again.baseOffset()).as("offset of a duplicate").isZero();
        assertThat(error(produce(topic, BatchBytes.idempotent(1, id, epoch, 9).records())))
                .isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);

        short next = (short) (epoch + 1);
        assertThat(error(produce(topic, BatchBytes.idempotent(1, id, next, 5).records())))
                .as("a new epoch starts at 0")
                .isEqualTo(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(error(produce(topic, BatchBytes.idempotent(1, id, next, 0).records())))
                .isEqualTo(Errors.NONE);
        assertThat(error(produce(topic, BatchBytes.idempotent(1, id, epoch, 5).records())))
                .isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(end(topic)).isEqualTo(6);
    }

    private static InitProducerIdResponseData newProducer() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            InitProducerIdRequest request = new InitProducerIdRequest.Builder(new InitProducerIdRequestData()
                            .setTransactionalId(null)
                            .setTransactionTimeoutMs(Integer.MAX_VALUE)
                            .setProducerId(-1)
                            .setProducerEpoch((short) -1))
                    .build((short) 4);
            InitProducerIdResponse response = (InitProducerIdResponse) connection.ask(request);
            assertThat(response.error()).isEqualTo(Errors.NONE);
            return response.data();
        }
    }
}
