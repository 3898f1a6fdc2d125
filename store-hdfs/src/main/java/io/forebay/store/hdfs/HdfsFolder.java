package io.forebay.store.hdfs;

import io.forebay.store.ObjectKey;
import io.forebay.store.StorePorts;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/** The folder in HDFS, and requests to the NameNode that several parts of the store make. Thread-safe; everything blocks. */
final class HdfsFolder {

    private static final int BUFFER_BYTES = 4096;

    private final DistributedFileSystem fileSystem;
    private final HdfsConfig config;
    private final StorePorts ports;
    private final SuspectNodes suspects;
    private final short replication;

    HdfsFolder(DistributedFileSystem fileSystem, HdfsConfig config, StorePorts ports) {
        this.fileSystem = fileSystem;
        this.config = config;
        this.ports = ports;
        this.suspects = new SuspectNodes(ports.clock());
        this.replication = (short)
                (config.replication() > 0
                        ? config.replication()
                        : fileSystem.getDefaultReplication(new Path(config.folder())));
    }

    HdfsConfig config() {
        return config;
    }

    DistributedFileSystem fileSystem() {
        return fileSystem;
    }

    DFSClient client() {
        return fileSystem.getClient();
    }

    Configuration settings() {
        return fileSystem.getConf();
    }

    SuspectNodes suspects() {
        return suspects;
    }

    /** How many DataNodes a file has when none is missing. */
    int replication() {
        return replication;
    }

    String path(ObjectKey key) {
        return config.folder() + "/" + key.value();
    }

    String corner() {
        return config.folder() + "/.forebay";
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** What lies at this path; null: nothing, or a file lies above it. */
    @Nullable
    HdfsFileStatus status(String path) throws IOException {
        try {
            return client().getFileInfo(path);
        } catch (IOException failed) {
            if (HdfsErrors.missing(failed)) {
                return null;
            }
            throw failed;
        }
    }

    /** Creates a file and the folders above it, unless the name is taken. Its blocks keep off suspected DataNodes. */
    WritingFile create(String path) throws IOException {
        FSDataOutputStream out = fileSystem.create(
                new Path(path),
                FsPermission.getFileDefault(),
                EnumSet.of(CreateFlag.CREATE, CreateFlag.SHOULD_REPLICATE),
                BUFFER_BYTES,
                replication,
                config.blockBytes(),
                null,
                null);
        FlushWatch watch = new FlushWatch(ports.timers(), ports.clock(), config.flushTimeoutMs());
        WritingFile file = new WritingFile(client(), path, out, config.sync(), watch);
        List<DatanodeInfo> leftOut = suspects.current();
        file.exclude(leftOut);
        return file;
    }

    /** Takes note of the DataNodes that a file has lost, or of having begun with too few. */
    void learn(WritingFile file) {
        suspects.add(file.lost());
        if (file.holders() > 0 && file.lost().isEmpty() && file.holders() < config.minDataNodes()) {
            suspects.forgiveOlder();
        }
    }

    /** Finds out which of a failed file's DataNodes are gone, for new files to leave out. Blocks for a moment. */
    void learn(WritingFile file, IOException failure) {
        if (HdfsErrors.placeless(failure)) {
            suspects.forgiveOlder();
            return;
        }
        LocatedBlock block = file.block();
        if (block != null) {
            suspects.add(PipelineProbe.silent(block, settings(), ports.io()));
        }
    }

    /** Makes the folder and those above it; harmless if it is there. */
    void makeFolder(String path) throws IOException {
        boolean unused = client().mkdirs(path, FsPermission.getDirDefault(), true);
    }

    /** Removes folders from this one upwards as long as they are empty. What fails here only leaves an empty folder. */
    void removeEmpty(String folder) throws IOException {
        String path = folder;
        while (path.length() > config.folder().length()) {
            HdfsFileStatus status = status(path);
            if (status == null || !status.isDirectory() || status.getChildrenNum() > 0) {
                return;
            }
            try {
                if (!client().delete(path, false)) {
                    return;
                }
            } catch (IOException failed) {
                if (HdfsErrors.notEmpty(failed)) {
                    return;
                }
                throw failed;
            }
            path = parent(path);
        }
    }
}
