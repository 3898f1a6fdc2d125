package io.forebay.conformance.stores;

import io.forebay.bench.peer.HdfsServers;
import io.forebay.bench.peer.PeerClassPath;
import io.forebay.bench.peer.PeerHome;
import io.forebay.bench.peer.PeerProcess;
import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** HDFS with what can happen to it: one NameNode and three DataNodes. Used by one thread at a time. */
public final class HdfsProcesses implements StoreUnderTest {

    private static final int NAME_NODE_MIB = 256;
    private static final int DATA_NODE_MIB = 192;

    private final HdfsServers servers;

    /** Stopped; {@code name} names its folder and its logs. */
    public HdfsProcesses(String name) {
        this.servers = new HdfsServers(
                new PeerHome(
                        BrokerExtension.freshFolder(name),
                        Settings.target().resolve("logs"),
                        PeerClassPath.of(Settings.hdfsClassPath(), Settings.serverClassPath()),
                        PeerHome.SMALL),
                name,
                NAME_NODE_MIB,
                DATA_NODE_MIB);
    }

    @Override
    public String kind() {
        return "hdfs";
    }

    @Override
    public String uri() {
        return servers.uri();
    }

    /** Small blocks: each DataNode wants the space for a whole one free. */
    @Override
    public Map<String, String> settings() {
        return Map.of("store.hdfs.block.bytes", Integer.toString(32 << 20));
    }

    @Override
    public Map<String, String> environment() {
        return servers.environment();
    }

    @Override
    public void start() {
        servers.start();
    }

    @Override
    public List<StoreFault> faults() {
        List<StoreFault> faults = new ArrayList<>();
        for (int i = 0; i < servers.dataNodes().size(); i++) {
            int index = i;
            PeerProcess node = servers.dataNodes().get(i);
            String which = "DataNode " + (i + 1);
            faults.add(new StoreFault(which + " killed", 8_000, node::kill, () -> servers.startDataNode(index)));
            faults.add(new StoreFault(which + " paused", 10_000, node::pause, node::resume));
        }
        PeerProcess nameNode = servers.nameNode();
        faults.add(new StoreFault("one DataNode after another killed and restarted", 0, this::rollDataNodes, () -> {}));
        faults.add(new StoreFault("NameNode killed", 5_000, nameNode::kill, servers::startNameNode));
        faults.add(new StoreFault("NameNode paused", 10_000, nameNode::pause, nameNode::resume));
        return faults;
    }

    private void rollDataNodes() {
        for (int i = 0; i < servers.dataNodes().size(); i++) {
            servers.dataNodes().get(i).kill();
            servers.startDataNode(i);
        }
    }

    @Override
    public String logTail() {
        return servers.logTail();
    }

    @Override
    public void close() {
        servers.close();
    }
}
