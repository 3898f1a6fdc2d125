package io.forebay.server.node;

import io.forebay.broker.admin.Admin;
import io.forebay.broker.partition.Partition;
import io.forebay.broker.session.NodeSessions;
import io.forebay.broker.transactions.Transactions;
import io.forebay.cluster.image.ClusterImage;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What transactions see of their node. */
record AroundTransactions(NodeSessions sessions, Admin admin) implements Transactions.TransactionNode {

    @Override
    public ClusterImage image() {
        return sessions.image();
    }

    @Override
    public @Nullable Partition find(UUID topicId, int index) {
        return sessions.served().find(topicId, index);
    }

    @Override
    public CompletableFuture<Long> newProducerId() {
        return admin.newProducerId();
    }

    @Override
    public boolean mayServe() {
        return sessions.mayServe();
    }
}
