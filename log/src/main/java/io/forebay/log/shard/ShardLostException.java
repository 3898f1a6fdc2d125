package io.forebay.log.shard;

/** Somebody else owns the shard, under the same or a higher epoch. The caller stops; trying again is useless. */
public final class ShardLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ShardLostException(String message) {
        super(message);
    }
}
