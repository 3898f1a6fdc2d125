package io.forebay.cluster.image;

import io.forebay.model.ShardId;

/**
 * One partition of a topic.
 *
 * @param index within the topic, from 0
 * @param partitionId cluster-wide number, never reused
 * @param shard the shard it lives in
 */
public record PartitionImage(int index, long partitionId, ShardId shard) {}
