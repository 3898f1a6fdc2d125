package io.forebay.broker.transactions;

import io.forebay.broker.partition.PartitionReplay;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Rebuilds the states of all ids from a coordinator's partition: the newest record of each. */
final class TransactionReplay implements PartitionReplay.Target {

    private final Map<String, TransactionState> states = new HashMap<>();

    /** What was found; when the replay has ended. */
    Map<String, TransactionState> states() {
        return states;
    }

    @Override
    public void replay(RecordBatch batch, long from) {
        if (batch.isControlBatch()) {
            return;
        }
        for (Record record : batch) {
            if (record.offset() >= from) {
                apply(record);
            }
        }
    }

    private void apply(Record record) {
        TransactionRecordCodec.id(record.key())
                .ifPresent(id -> TransactionRecordCodec.state(id, record.value())
                        .ifPresentOrElse(state -> states.put(id, state), () -> states.remove(id)));
    }
}
