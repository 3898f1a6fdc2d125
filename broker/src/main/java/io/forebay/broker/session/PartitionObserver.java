package io.forebay.broker.session;

import io.forebay.broker.partition.Partition;

/** Told when this node begins and ends to serve a partition. On the partition's loop. */
public interface PartitionObserver {

    /** Open and writable. */
    void opened(Partition partition, int leaderEpoch);

    /** Not served any more: given away, deleted, or the session is over. */
    void closed(Partition partition);

    /** Sees nothing. */
    PartitionObserver NONE = new PartitionObserver() {
        @Override
        public void opened(Partition partition, int leaderEpoch) {
            // Nobody to tell.
        }

        @Override
        public void closed(Partition partition) {
            // Nobody to tell.
        }
    };
}
