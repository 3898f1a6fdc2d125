package io.forebay.store.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Asks the DataNodes of a file whose flush failed whether they are there. The client blames the first DataNode of a chain for any
 * silence; a stopped one further down would be chosen for the next file again.
 */
final class PipelineProbe {

    private static final int ANSWER_LIMIT_MS = 1_000;

    private static final int NOT_ASKED = 0;
    private static final int ASKED = 1;
    private static final int ANSWERED = 2;

    private PipelineProbe() {}

    /** The DataNodes that were asked and did not answer within a second. Blocks as long. */
    static List<DatanodeInfo> silent(LocatedBlock block, Configuration settings, Executor executor) {
        DatanodeInfo[] nodes = block.getLocations();
        List<AtomicInteger> states = new ArrayList<>();
        List<CompletableFuture<Void>> asking = new ArrayList<>();
        for (DatanodeInfo node : nodes) {
            AtomicInteger state = new AtomicInteger(NOT_ASKED);
            states.add(state);
            try {
                asking.add(CompletableFuture.runAsync(() -> ask(node, block, settings, state), executor));
            } catch (RejectedExecutionException ending) {
                return List.of();
            }
        }
        try {
            var unused = CompletableFuture.allOf(asking.toArray(CompletableFuture<?>[]::new))
                    .get(ANSWER_LIMIT_MS + ANSWER_LIMIT_MS / 2, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException someAreSilent) {
            // Their states tell.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return List.of();
        }
        List<DatanodeInfo> silent = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            if (states.get(i).get() == ASKED) {
                silent.add(nodes[i]);
            }
        }
        return silent;
    }

    private static void ask(DatanodeInfo node, LocatedBlock block, Configuration settings, AtomicInteger state) {
        state.set(ASKED);
        ClientDatanodeProtocol dataNode = null;
        try {
            dataNode = DFSUtilClient.createClientDatanodeProtocolProxy(node, settings, ANSWER_LIMIT_MS, false, block);
            long unused = dataNode.getReplicaVisibleLength(block.getBlock());
            state.set(ANSWERED);
        } catch (RemoteException itIsThere) {
            state.set(ANSWERED);
        } catch (IOException silent) {
            // Stays "asked".
        } finally {
            if (dataNode != null) {
                RPC.stopProxy(dataNode);
            }
        }
    }
}
