package io.forebay.kafka.fake;

import java.nio.ByteBuffer;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Requests as clients put them on the wire. */
public final class Frames {

    private Frames() {}

    /** A whole frame with its length. */
    public static ByteBuffer of(ApiKeys api, short version, int correlationId, ApiMessage body) {
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion(version)
                .setCorrelationId(correlationId)
                .setClientId("tester");
        ByteBuffer head = MessageUtil.toByteBufferAccessor(header, api.requestHeaderVersion(version))
                .buffer();
        ByteBuffer rest = MessageUtil.toByteBufferAccessor(body, version).buffer();
        ByteBuffer frame = ByteBuffer.allocate(4 + head.remaining() + rest.remaining());
        return frame.putInt(head.remaining() + rest.remaining())
                .put(head)
                .put(rest)
                .flip();
    }

    /** Reads an answer's body; the buffer stands behind the length. */
    public static <A extends ApiMessage> A answer(
            ApiKeys api, short version, int correlationId, ByteBuffer bytes, A empty) {
        int answered = bytes.getInt();
        if (answered != correlationId) {
            throw new AssertionError("expected the answer to " + correlationId + ", got that to " + answered);
        }
        if (api.responseHeaderVersion(version) >= 1 && bytes.get() != 0) {
            throw new AssertionError("unexpected tagged fields in a response header");
        }
        empty.read(new ByteBufferAccessor(bytes), version);
        if (bytes.hasRemaining()) {
            throw new AssertionError(bytes.remaining() + " bytes behind the end of the answer");
        }
        return empty;
    }

    /** One record of so many bytes for each of the partitions 0 to {@code partitions − 1}. */
    public static ProduceRequestData produce(String topic, int partitions, int recordBytes, short acks) {
        TopicProduceData data = new TopicProduceData().setName(topic);
        for (int i = 0; i < partitions; i++) {
            data.partitionData().add(new PartitionProduceData().setIndex(i).setRecords(records(recordBytes)));
        }
        ProduceRequestData request =
                new ProduceRequestData().setAcks(acks).setTimeoutMs(1000).setTransactionalId(null);
        request.topicData().add(data);
        return request;
    }

    public static MemoryRecords records(int recordBytes) {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(1L, null, new byte[recordBytes]));
    }
}
