package io.forebay.log.shard;

import io.forebay.model.ShardId;

/** Work on a shard came to nothing because it is being given up, or is somebody else's by now. Nothing is wrong: its next owner does the work. */
public final class ShardClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    ShardClosedException(ShardId id) {
        super("shard " + id + " is not open any more");
    }
}
