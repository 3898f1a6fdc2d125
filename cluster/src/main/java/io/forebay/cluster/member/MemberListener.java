package io.forebay.cluster.member;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.model.ShardId;

/** What a membership means to the rest of the node. Called on the control loop. */
public interface MemberListener {

    /** A session begins. Its number was never used before. */
    void registered(long session);

    /** A newer image: all of it is durable. */
    void image(MetadataImage newer);

    /** The owner of a shard should give it up. Told again until the report says that it is so. */
    void release(ShardId shard, long epoch);

    /** The session is over, others may own what it had: serve nothing of it any more. Another one begins by itself. */
    void ended(long session);

    /** Another process has taken this node's place for good: this one serves nothing any more. */
    void takenOver(String why);

    /** The first session cannot begin, and never will. */
    void hopeless(Throwable why);

    /** What to tell the controller. */
    ShardReport report();
}
