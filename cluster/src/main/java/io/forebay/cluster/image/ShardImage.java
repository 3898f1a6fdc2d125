package io.forebay.cluster.image;

import io.forebay.model.ShardId;

/**
 * Who owns a shard.
 *
 * @param epoch of the ownership
 * @param ownerSession session that may open it under this epoch
 */
public record ShardImage(ShardId id, long epoch, int ownerNode, long ownerSession) {}
