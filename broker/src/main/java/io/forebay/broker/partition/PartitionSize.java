package io.forebay.broker.partition;

import java.util.UUID;

/** Bytes that one partition holds between its start and its end. */
public record PartitionSize(UUID topicId, int index, long sizeBytes) {}
