package io.forebay.server.node;

import io.forebay.broker.groups.GroupCoordination;
import io.forebay.broker.partition.Partition;
import io.forebay.broker.session.PartitionObserver;
import io.forebay.broker.transactions.Transactions;

/** Tells all coordinators of a node which partitions are served here. */
record Coordinators(GroupCoordination groups, Transactions transactions) implements PartitionObserver {

    @Override
    public void opened(Partition partition, int leaderEpoch) {
        groups.opened(partition, leaderEpoch);
        transactions.opened(partition, leaderEpoch);
    }

    @Override
    public void closed(Partition partition) {
        groups.closed(partition);
        transactions.closed(partition);
    }
}
