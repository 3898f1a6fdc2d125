package io.forebay.broker.partition;

import io.forebay.log.partition.ActiveProducer;
import java.util.List;
import org.apache.kafka.common.protocol.Errors;

/** The producers that a partition remembers, or why they are not told. */
public record DescribedProducers(Errors error, List<ActiveProducer> producers) {
    public DescribedProducers {
        producers = List.copyOf(producers);
    }
}
