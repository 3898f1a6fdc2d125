package io.forebay.store.hdfs;

import io.forebay.store.Store;
import io.forebay.store.StoreException;
import io.forebay.store.StoreException.Kind;
import io.forebay.store.StorePorts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/** Opens the folder of an HDFS store, or makes it. */
final class HdfsStart {

    private static final String NAME = "forebay hdfs store";
    /** From 2 on small objects are kept by the NameNode. A folder that was made with an earlier version stays as it is. */
    private static final int VERSION = 2;

    private static final int MAX_FORMAT_BYTES = 1_000;

    private HdfsStart() {}

    /**
     * Opens the store. Blocks until the NameNode has answered.
     *
     * @throws StoreException INVALID with what to change; UNAVAILABLE or FULL if HDFS cannot be used now
     */
    static Store open(HdfsConfig config, StorePorts ports) {
        String action = "cannot open " + config.nameNode() + config.folder();
        // The client takes its classes from the thread's loader, which may know nothing of it.
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(HdfsStart.class.getClassLoader());
        DistributedFileSystem fileSystem = null;
        try {
            fileSystem = connect(config);
            HdfsFolder folder = new HdfsFolder(fileSystem, config, ports);
            checkReplication(folder);
            String process = hex(ports.chance().nextLong()) + hex(ports.chance().nextLong());
            SmallObjects small = new SmallObjects(folder, checkFormat(folder, process) > 1);
            HdfsStore store = new HdfsStore(folder, small, ports, process);
            store.start();
            return store;
        } catch (IOException failed) {
            closeQuietly(fileSystem);
            throw HdfsErrors.translate(config, action, failed);
        } catch (IllegalArgumentException wrong) {
            closeQuietly(fileSystem);
            if (HdfsErrors.unreachable(wrong)) {
                throw HdfsErrors.translate(config, action, new IOException(wrong.getMessage(), wrong));
            }
            throw new StoreException(Kind.INVALID, action + ": " + wrong.getMessage(), wrong);
        } catch (RuntimeException failed) {
            closeQuietly(fileSystem);
            throw failed;
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static DistributedFileSystem connect(HdfsConfig config) throws IOException {
        FileSystem fileSystem = FileSystem.newInstance(config.nameNode(), ClientSettings.of(config));
        if (fileSystem instanceof DistributedFileSystem hdfs) {
            return hdfs;
        }
        fileSystem.close();
        throw new StoreException(
                Kind.INVALID,
                "'hdfs:' stands for " + fileSystem.getClass().getName()
                        + " in the cluster's files (fs.hdfs.impl), not for HDFS");
    }

    private static void checkReplication(HdfsFolder folder) {
        if (folder.replication() < folder.config().minDataNodes()) {
            throw new StoreException(
                    Kind.INVALID,
                    "the cluster gives a new file " + folder.replication() + " DataNode (dfs.replication) and"
                            + " store.hdfs.min.datanodes is " + folder.config().minDataNodes()
                            + ": set store.hdfs.replication, or lower the other one");
        }
    }

    /** Makes the format file in an empty folder, or reads it. Returns the folder's version. */
    private static int checkFormat(HdfsFolder folder, String process) throws IOException {
        String format = folder.corner() + "/format";
        HdfsFileStatus root = folder.status(folder.config().folder());
        if (root != null && !root.isDirectory()) {
            throw new StoreException(
                    Kind.INVALID, "'" + folder.config().folder() + "' is a file; a store needs a folder of its own");
        }
        for (int attempt = 1; attempt <= 2; attempt++) {
            if (folder.status(format) != null) {
                return version(read(folder, format), format);
            }
            if (root != null && !isNew(folder)) {
                throw new StoreException(
                        Kind.INVALID,
                        "'" + folder.config().folder()
                                + "' holds other things and is no store: name an empty or a new folder");
            }
            make(folder, format, process);
        }
        if (folder.status(format) == null) {
            throw new IOException("cannot make " + format);
        }
        return version(read(folder, format), format);
    }

    /** Whether nothing but our own corner is in there, as another start may be making it right now. */
    private static boolean isNew(HdfsFolder folder) throws IOException {
        DirectoryListing page = folder.client().listPaths(folder.config().folder(), HdfsFileStatus.EMPTY_NAME);
        if (page == null) {
            return true;
        }
        for (HdfsFileStatus entry : page.getPartialListing()) {
            if (!entry.getLocalName().equals(".forebay")) {
                return false;
            }
        }
        return true;
    }

    private static void make(HdfsFolder folder, String format, String process) throws IOException {
        TemporaryFiles temporary = new TemporaryFiles(folder, new SmallObjects(folder, false), process);
        WritingFile file = folder.create(temporary.own() + "/format");
        try {
            file.write(ByteBuffer.wrap(text(VERSION).getBytes(StandardCharsets.US_ASCII)));
            temporary.complete(file);
            folder.client().rename(file.path(), format, Options.Rename.NONE);
        } catch (IOException failed) {
            temporary.discard(file);
            if (!HdfsErrors.taken(failed)) {
                throw failed;
            }
        }
    }

    private static String read(HdfsFolder folder, String format) throws IOException {
        try (InputStream in = folder.fileSystem().open(new Path(format))) {
            return new String(in.readNBytes(MAX_FORMAT_BYTES), StandardCharsets.US_ASCII);
        }
    }

    private static String text(int version) {
        return NAME + "\nversion " + version + "\n";
    }

    private static int version(String text, String format) {
        for (int version = 1; version <= VERSION; version++) {
            if (text.equals(text(version))) {
                return version;
            }
        }
        if (text.startsWith(NAME + "\nversion ") && text.endsWith("\n")) {
            throw new StoreException(
                    Kind.INVALID,
                    format + " says " + text.substring(NAME.length() + 1).strip() + "; this program knows version "
                            + VERSION + ": use a newer one");
        }
        throw new StoreException(Kind.INVALID, format + " is damaged: it should say '" + NAME + "' and a version");
    }

    private static String hex(long number) {
        String digits = Long.toHexString(number);
        return "0".repeat(16 - digits.length()) + digits;
    }

    private static void closeQuietly(@Nullable FileSystem fileSystem) {
        try {
            if (fileSystem != null) {
                fileSystem.close();
            }
        } catch (IOException nothingIsLost) {
            // It was not used yet.
        }
    }
}
