package io.forebay.store.hdfs;

import io.forebay.store.StoreException;
import java.net.URI;
import java.util.Map;

/**
 * Where an HDFS store is, and its settings.
 *
 * @param nameNode {@code hdfs://host:port} or {@code hdfs://name-service}
 * @param folder absolute path in HDFS, without a slash at the end
 * @param siteFolder {@code store.hdfs.conf} or {@code ?conf=} of the URI, which wins: folder on this machine with the cluster's
 *     {@code core-site.xml} and {@code hdfs-site.xml}; empty: none
 * @param sync {@code store.hdfs.sync}: when an append counts as durable
 * @param minDataNodes {@code store.hdfs.min.datanodes}: DataNodes that must hold what is acknowledged
 * @param replication {@code store.hdfs.replication}: DataNodes that a new file is given; 0: what the cluster's files say
 * @param blockBytes {@code store.hdfs.block.bytes}: block size of new files; at least the size of a journal file
 * @param smallBytes {@code store.hdfs.small.bytes}: objects up to this size are kept by the NameNode; 0: none is
 * @param openFiles {@code store.hdfs.open.files}: how many files stay open for reading
 * @param flushTimeoutMs {@code store.hdfs.flush.timeout.ms}: time after which a flush that is not acknowledged has failed
 */
record HdfsConfig(
        URI nameNode,
        String folder,
        String siteFolder,
        Sync sync,
        int minDataNodes,
        int replication,
        long blockBytes,
        int smallBytes,
        int openFiles,
        long flushTimeoutMs) {

    /** When an append counts as durable. */
    enum Sync {
        /** When the DataNodes have it in memory: survives any process, not a power loss of all of them. */
        HFLUSH,
        /** When the DataNodes have it on disk. */
        HSYNC
    }

    private static final int BYTES_PER_CHECKSUM = 512;

    HdfsConfig {
        if (minDataNodes < 1) {
            throw invalid("store.hdfs.min.datanodes", Integer.toString(minDataNodes), "1 or more");
        }
        if (replication < 0 || replication > 512 || (replication > 0 && replication < minDataNodes)) {
            throw invalid(
                    "store.hdfs.replication",
                    Integer.toString(replication),
                    "0 for what the cluster says, or store.hdfs.min.datanodes to 512");
        }
        if (blockBytes < 1 << 20 || blockBytes >= SmallObjects.LENGTHS_FROM || blockBytes % BYTES_PER_CHECKSUM != 0) {
            throw invalid(
                    "store.hdfs.block.bytes",
                    Long.toString(blockBytes),
                    "1048576 or more, less than 1 TiB, a multiple of 512");
        }
        if (smallBytes < 0 || smallBytes > SmallObjects.MAX_BYTES) {
            throw invalid(
                    "store.hdfs.small.bytes",
                    Integer.toString(smallBytes),
                    "0 for none, up to " + SmallObjects.MAX_BYTES);
        }
        if (openFiles < 1) {
            throw invalid("store.hdfs.open.files", Integer.toString(openFiles), "1 or more");
        }
        if (flushTimeoutMs < 100) {
            throw invalid("store.hdfs.flush.timeout.ms", Long.toString(flushTimeoutMs), "100 or more");
        }
    }

    static HdfsConfig of(URI uri, Map<String, String> settings) {
        String sync = settings.getOrDefault("store.hdfs.sync", "hflush");
        if (!sync.equals("hflush") && !sync.equals("hsync")) {
            throw invalid("store.hdfs.sync", sync, "hflush or hsync");
        }
        String authority = uri.getRawAuthority();
        if (uri.isOpaque() || authority == null || authority.isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "'" + uri + "' names no NameNode: an HDFS store is written hdfs://HOST:PORT/FOLDER, or"
                            + " hdfs://NAME-SERVICE/FOLDER?conf=FOLDER-WITH-SITE-FILES");
        }
        return new HdfsConfig(
                URI.create("hdfs://" + authority),
                folder(uri),
                siteFolder(uri, settings),
                sync.equals("hsync") ? Sync.HSYNC : Sync.HFLUSH,
                (int) Math.min(Integer.MAX_VALUE, number(settings, "store.hdfs.min.datanodes", 2)),
                (int) Math.min(Integer.MAX_VALUE, number(settings, "store.hdfs.replication", 0)),
                number(settings, "store.hdfs.block.bytes", 256L << 20),
                (int) Math.min(Integer.MAX_VALUE, number(settings, "store.hdfs.small.bytes", 12_288)),
                (int) Math.min(100_000, number(settings, "store.hdfs.open.files", 256)),
                number(settings, "store.hdfs.flush.timeout.ms", 4_000));
    }

    private static String folder(URI uri) {
        String path = uri.getPath();
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        if (path.isEmpty() || path.contains("//") || path.contains("/../") || path.contains(":")) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "'" + uri + "' names no folder of its own: write hdfs://" + uri.getRawAuthority() + "/FOLDER");
        }
        return path;
    }

    private static String siteFolder(URI uri, Map<String, String> settings) {
        String query = uri.getQuery();
        if (query == null || query.isEmpty()) {
            return settings.getOrDefault("store.hdfs.conf", "");
        }
        if (!query.startsWith("conf=") || query.contains("&")) {
            throw new StoreException(
                    StoreException.Kind.INVALID, "'" + uri + "': only ?conf=FOLDER may follow the folder");
        }
        return query.substring("conf=".length());
    }

    private static long number(Map<String, String> settings, String name, long preset) {
        String text = settings.get(name);
        if (text == null) {
            return preset;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            throw invalid(name, text, "a whole number");
        }
    }

    private static StoreException invalid(String name, String value, String expected) {
        return new StoreException(
                StoreException.Kind.INVALID, "bad value '" + value + "' for '" + name + "': expected " + expected);
    }
}
