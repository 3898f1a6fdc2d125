package io.forebay.store.hdfs;

import io.forebay.store.StoreException;
import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * The Hadoop client's configuration: its defaults, over them ours, over them what the cluster's site files say.
 *
 * <p>The client's defaults are made for long jobs and wait minutes for a machine that is gone; ours wait seconds.
 */
final class ClientSettings {

    private static final Map<String, String> OURS = Map.ofEntries(
            // A read of a DataNode that does not answer goes to another replica. A write adds 5 s for each DataNode,
            // which store.hdfs.flush.timeout.ms cuts short.
            Map.entry("dfs.client.socket-timeout", "3000"),
            Map.entry("dfs.client.datanode-restart.timeout", "3"),
            // Never put a new DataNode into a file that lost one: copying its block takes longer than a new file.
            Map.entry("dfs.client.block.write.replace-datanode-on-failure.enable", "false"),
            // Ends of files: the DataNodes' reports are on their way to the NameNode.
            Map.entry("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "50"),
            Map.entry("dfs.client.block.write.locateFollowingBlock.retries", "8"),
            Map.entry("dfs.client.block.write.locateFollowingBlock.max.delay.ms", "1000"),
            // A file that is being recovered cannot be opened for a moment; our own readers try again.
            Map.entry("dfs.client.retry.times.get-last-block-length", "3"),
            Map.entry("dfs.client.retry.interval-ms.get-last-block-length", "200"),
            Map.entry("dfs.client.retry.window.base", "200"),
            // The NameNode.
            Map.entry("ipc.client.connect.timeout", "3000"),
            Map.entry("ipc.client.connect.max.retries", "2"),
            Map.entry("ipc.client.connect.retry.interval", "200"),
            Map.entry("ipc.client.connect.max.retries.on.timeouts", "1"),
            Map.entry("ipc.client.rpc-timeout.ms", "8000"),
            Map.entry("dfs.client.failover.max.attempts", "10"),
            Map.entry("dfs.client.failover.sleep.base.millis", "100"),
            Map.entry("dfs.client.failover.sleep.max.millis", "2000"),
            // The node closes its files in its own order.
            Map.entry("fs.automatic.close", "false"));

    private ClientSettings() {}

    /** @throws StoreException INVALID if the folder holds no site file */
    static Configuration of(HdfsConfig config) {
        Configuration all = new HdfsConfiguration();
        OURS.forEach(all::set);
        if (!config.siteFolder().isEmpty()) {
            for (Map.Entry<String, String> entry : site(config.siteFolder())) {
                all.set(entry.getKey(), entry.getValue());
            }
        }
        return all;
    }

    private static Configuration site(String folder) {
        Configuration site = new Configuration(false);
        boolean found = false;
        for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
            File file = new File(folder, name).getAbsoluteFile();
            if (file.isFile()) {
                site.addResource(new Path(file.toURI()));
                found = true;
            }
        }
        if (!found) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "'" + folder + "' holds neither core-site.xml nor hdfs-site.xml: 'store.hdfs.conf' or ?conf= names"
                            + " the folder with the cluster's client configuration");
        }
        try {
            int unused = site.size();
        } catch (RuntimeException damaged) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "a site file in '" + folder + "' cannot be read: " + damaged.getMessage(),
                    damaged);
        }
        return site;
    }
}
