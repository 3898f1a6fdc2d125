package io.forebay.broker.transactions;

import io.forebay.broker.partition.TransactionMarker;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/** The way of markers to the partitions of a transaction, wherever they are served. Thread-safe. */
public interface TransactionMarkers {

    /** Writes one marker; NONE when it is durable, or when the partition does not exist any more. Completes on any thread. */
    CompletableFuture<Errors> write(TopicPartition partition, TransactionMarker marker);
}
