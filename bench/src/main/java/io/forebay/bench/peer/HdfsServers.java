package io.forebay.bench.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Apache Hadoop's HDFS on loopback: one NameNode and three DataNodes, each a process that keeps its ports and its folder over
 * its lives. Used by one thread at a time.
 */
public final class HdfsServers implements AutoCloseable {

    private static final int DATA_NODES = 3;
    private static final String NAME_NODE_MAIN = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    private static final String DATA_NODE_MAIN = "org.apache.hadoop.hdfs.server.datanode.DataNode";
    private static final Pattern LIVE = Pattern.compile("\"NumLiveDataNodes\" : ([0-9]+)");
    private static final int ANSWER_LIMIT_MS = 2_000;

    private final PeerHome home;
    private final String name;
    private final int nameNodeMiB;
    private final int namePort = FreePorts.next();
    private final int namePagePort = FreePorts.next();
    private final PeerProcess nameNode;
    private final List<DataNode> dataNodes = new ArrayList<>();

    private record DataNode(PeerProcess process, int ipcPort) {
        void start() {
            process.begin();
            process.await(() -> PeerProcess.listens(ipcPort));
        }
    }

    /**
     * Stopped.
     *
     * @param name names the logs
     * @param nameNodeMiB largest heap of the NameNode
     * @param dataNodeMiB largest heap of each DataNode
     */
    public HdfsServers(PeerHome home, String name, int nameNodeMiB, int dataNodeMiB) {
        this.home = home;
        this.name = name;
        this.nameNodeMiB = nameNodeMiB;
        this.nameNode = home.process(name + "-namenode", nameNodeMiB, List.of(conf()), List.of(NAME_NODE_MAIN));
        for (int i = 1; i <= DATA_NODES; i++) {
            dataNodes.add(dataNode(i, dataNodeMiB));
        }
    }

    private DataNode dataNode(int number, int heapMiB) {
        int ipcPort = FreePorts.next();
        return new DataNode(
                home.process(
                        name + "-datanode-" + number,
                        heapMiB,
                        List.of(conf()),
                        List.of(
                                DATA_NODE_MAIN,
                                "-D",
                                "dfs.datanode.data.dir="
                                        + home.folder()
                                                .resolve("data-" + number)
                                                .toUri(),
                                "-D",
                                "dfs.datanode.address=127.0.0.1:" + FreePorts.next(),
                                "-D",
                                "dfs.datanode.ipc.address=127.0.0.1:" + ipcPort,
                                "-D",
                                "dfs.datanode.http.address=127.0.0.1:" + FreePorts.next())),
                ipcPort);
    }

    /** Where it is, as {@code --store} takes it. */
    public String uri() {
        return "hdfs://127.0.0.1:" + namePort + "/forebay";
    }

    /** Environment variables for clients. */
    public Map<String, String> environment() {
        return Map.of("HADOOP_USER_NAME", "forebay");
    }

    /** Formats an empty HDFS and starts it; returns when all DataNodes are there. */
    public void start() {
        writeSettings();
        try (PeerProcess format = home.process(
                name + "-format",
                nameNodeMiB,
                List.of(conf()),
                List.of(NAME_NODE_MAIN, "-format", "-nonInteractive", "-clusterId", "tests"))) {
            format.runToEnd();
        }
        nameNode.begin();
        dataNodes.forEach(node -> node.process().begin());
        nameNode.await(() -> operational(DATA_NODES));
    }

    /** Whether the NameNode is out of safe mode and has heard of so many DataNodes. */
    private boolean operational(int dataNodesAtLeast) throws IOException {
        String page = page("FSNamesystemState");
        Matcher live = LIVE.matcher(page);
        return page.contains("\"FSState\" : \"Operational\"")
                && live.find()
                && Integer.parseInt(live.group(1)) >= dataNodesAtLeast;
    }

    private String page(String bean) throws IOException {
        URLConnection connection = URI.create(
                        "http://127.0.0.1:" + namePagePort + "/jmx?qry=Hadoop:service=NameNode,name=" + bean)
                .toURL()
                .openConnection();
        connection.setConnectTimeout(ANSWER_LIMIT_MS);
        connection.setReadTimeout(ANSWER_LIMIT_MS);
        try (var in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Starts a NameNode that was killed; returns when it serves. */
    public void startNameNode() {
        nameNode.begin();
        nameNode.await(() -> operational(0));
    }

    /** The NameNode. */
    public PeerProcess nameNode() {
        return nameNode;
    }

    /** Three, of which the first has index 0. */
    public List<PeerProcess> dataNodes() {
        return dataNodes.stream().map(DataNode::process).toList();
    }

    /** Starts a DataNode that was killed; returns when it listens. */
    public void startDataNode(int index) {
        dataNodes.get(index).start();
    }

    /** The folder with core-site.xml and hdfs-site.xml, for clients. */
    public Path conf() {
        return home.folder().resolve("conf");
    }

    private void writeSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(
                "dfs.namenode.name.dir", home.folder().resolve("name").toUri().toString());
        settings.put("dfs.namenode.rpc-address", "127.0.0.1:" + namePort);
        settings.put("dfs.namenode.http-address", "127.0.0.1:" + namePagePort);
        settings.put("dfs.permissions.enabled", "false");
        // Several DataNodes on one address.
        settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
        settings.put("dfs.namenode.redundancy.considerLoad", "false");
        // As docs/operating/hdfs.md advises; a silent DataNode is dead after 2 * 2 s + 10 * 1 s.
        settings.put("dfs.heartbeat.interval", "1");
        settings.put("dfs.namenode.heartbeat.recheck-interval", "2000");
        settings.put("dfs.namenode.stale.datanode.interval", "5000");
        settings.put("dfs.namenode.avoid.write.stale.datanode", "true");
        settings.put("dfs.namenode.avoid.read.stale.datanode", "true");
        settings.put("dfs.namenode.safemode.extension", "0");
        settings.put("dfs.namenode.handler.count", "8");
        settings.put("dfs.datanode.handler.count", "4");
        try {
            Path conf = Files.createDirectories(conf());
            Files.writeString(
                    conf.resolve("core-site.xml"),
                    xml(Map.of(
                            "fs.defaultFS",
                            "hdfs://127.0.0.1:" + namePort,
                            "hadoop.tmp.dir",
                            home.folder().resolve("tmp").toString())));
            Files.writeString(conf.resolve("hdfs-site.xml"), xml(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String xml(Map<String, String> properties) {
        StringBuilder text = new StringBuilder("<configuration>\n");
        properties.forEach((key, value) -> text.append("  <property><name>")
                .append(key)
                .append("</name><value>")
                .append(value)
                .append("</value></property>\n"));
        return text.append("</configuration>\n").toString();
    }

    /** The ends of all logs, for a failure's message. */
    public String logTail() {
        StringBuilder text = new StringBuilder(nameNode.logTail());
        dataNodes.forEach(node -> text.append('\n').append(node.process().logTail()));
        return text.toString();
    }

    @Override
    public void close() {
        dataNodes.forEach(node -> node.process().close());
        nameNode.close();
    }
}
