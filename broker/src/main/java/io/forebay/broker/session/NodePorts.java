package io.forebay.broker.session;

import io.forebay.cluster.control.ControlConfig;
import io.forebay.cluster.control.Peers;
import io.forebay.cluster.root.RootContext;
import io.forebay.log.LogConfig;
import io.forebay.log.LogPorts;
import io.forebay.model.Loop;
import java.util.List;

/**
 * What a node's sessions work with.
 *
 * @param root the root's context; its loop is the control loop
 * @param peers the way to other nodes' control ports
 * @param log ports of the log; its home loop is the control loop
 * @param shardLoops where shards live
 */
public record NodePorts(
        RootContext root,
        Peers peers,
        ControlConfig control,
        LogPorts log,
        LogConfig logConfig,
        List<Loop> shardLoops) {
    public NodePorts {
        shardLoops = List.copyOf(shardLoops);
    }
}
