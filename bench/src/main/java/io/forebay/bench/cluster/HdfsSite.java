package io.forebay.bench.cluster;

import io.forebay.bench.peer.HdfsServers;
import io.forebay.bench.peer.PeerHome;
import io.forebay.bench.peer.PeerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** HDFS on loopback: a NameNode and three DataNodes. */
final class HdfsSite implements StoreSite {
    private static final int NAME_NODE_MIB = 512;
    private static final int DATA_NODE_MIB = 512;

    private final HdfsServers servers;

    HdfsSite(PeerHome home) {
        this.servers = new HdfsServers(home, "hdfs", NAME_NODE_MIB, DATA_NODE_MIB);
    }

    @Override
    public String kind() {
        return "hdfs";
    }

    @Override
    public String uri(String name) {
        return servers.uri() + "-" + name;
    }

    @Override
    public Map<String, String> settings() {
        return Map.of();
    }

    @Override
    public Map<String, String> environment() {
        return servers.environment();
    }

    @Override
    public List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        pids.add(servers.nameNode().pid());
        servers.dataNodes().forEach(node -> pids.add(node.pid()));
        return pids;
    }

    /** The folder with the configuration that its clients need. */
    Path conf() {
        return servers.conf();
    }

    List<PeerProcess> dataNodes() {
        return servers.dataNodes();
    }

    void startDataNode(int index) {
        servers.startDataNode(index);
    }

    @Override
    public void start() {
        servers.start();
    }

    @Override
    public void close() {
        servers.close();
    }
}
