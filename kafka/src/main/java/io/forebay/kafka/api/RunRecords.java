package io.forebay.kafka.api;

import io.forebay.model.ByteRun;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.RecordsSend;

/**
 * Records of an answer that stay where they are: the connection sends the pieces of the run as they lie. Whoever answers
 * releases the run when told that the bytes are not needed any more.
 */
public record RunRecords(ByteRun run) implements BaseRecords {

    @Override
    public int sizeInBytes() {
        return run.sizeBytes();
    }

    @Override
    public RecordsSend<RunRecords> toSend() {
        throw new UnsupportedOperationException("runs are written by the connection, not by Kafka's own network code");
    }
}
