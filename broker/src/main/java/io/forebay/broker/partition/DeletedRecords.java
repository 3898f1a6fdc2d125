package io.forebay.broker.partition;

import org.apache.kafka.common.protocol.Errors;

/** Answer to DeleteRecords: the partition's start afterwards, −1 on an error. */
public record DeletedRecords(Errors error, long lowWatermark) {}
