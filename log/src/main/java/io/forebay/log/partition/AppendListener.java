package io.forebay.log.partition;

import io.forebay.log.journal.JournalEndedException;

/** Whoever waits for an append. */
public interface AppendListener {

    /** The batch's memory may be used again. On the journal loop. */
    void copied();

    /** The batch is durable and below the high watermark. On the shard loop. */
    void durable(long baseOffset);

    /** Outcome unknown, and the shard is gone from this session. On the shard loop. */
    void failed(JournalEndedException cause);
}
