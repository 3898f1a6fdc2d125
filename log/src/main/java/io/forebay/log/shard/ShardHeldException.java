package io.forebay.log.shard;

/** Somebody may still be writing to the shard. It can be opened once its owner has released it, or was fenced and that was recorded: try again then. */
public final class ShardHeldException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ShardHeldException(String message) {
        super(message);
    }
}
