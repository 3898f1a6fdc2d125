package io.forebay.server.config;

import static io.forebay.server.config.SettingType.amountOrUnlimited;
import static io.forebay.server.config.SettingType.bool;
import static io.forebay.server.config.SettingType.bytes;
import static io.forebay.server.config.SettingType.bytesOrUnlimited;
import static io.forebay.server.config.SettingType.choice;
import static io.forebay.server.config.SettingType.count;
import static io.forebay.server.config.SettingType.enumeration;
import static io.forebay.server.config.SettingType.folder;
import static io.forebay.server.config.SettingType.hostPort;
import static io.forebay.server.config.SettingType.intBytes;
import static io.forebay.server.config.SettingType.intMillis;
import static io.forebay.server.config.SettingType.location;
import static io.forebay.server.config.SettingType.loggerLevels;
import static io.forebay.server.config.SettingType.millis;
import static io.forebay.server.config.SettingType.millisOrUnlimited;
import static io.forebay.server.config.SettingType.name;
import static io.forebay.server.config.SettingType.optional;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The table of all settings, in the order of the documentation.
 *
 * <p>Settings that Kafka's broker also has keep Kafka's name, unit and meaning; where the default differs, the sentence
 * says so.
 */
final class Settings {
    private static final List<Setting<?>> TABLE = new ArrayList<>();

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long TIB = 1L << 40;
    private static final long DAY_MS = 86_400_000L;
    private static final int MAX_INT = Integer.MAX_VALUE;

    // ---- Node ----------------------------------------------------------------------------------------------------
    private static final String NODE = "Node";

    static final Setting<URI> STORE = add(
            NODE,
            "store",
            location(),
            "./forebay-data",
            "Where everything is kept: a folder of this machine (also written file:///FOLDER), a folder in HDFS"
                    + " (hdfs://NAMENODE:PORT/FOLDER), or a bucket (s3://BUCKET/PREFIX?region=REGION). A relative folder"
                    + " starts at the working directory.");
    static final Setting<HostPort> LISTEN = add(
            NODE,
            "listen",
            hostPort(),
            "127.0.0.1:9092",
            "Address and port for Kafka clients; port 0 takes any free one, 0.0.0.0 listens on every interface and"
                    + " then 'advertise' is needed.");
    static final Setting<Optional<HostPort>> ADVERTISE = add(
            NODE,
            "advertise",
            optional(hostPort()),
            "",
            "Address and port that clients are told to connect to; empty means the same as 'listen'.");
    static final Setting<Integer> NODE_ID =
            add(NODE, "node.id", count(0, MAX_INT), "1", "Number of this node, unique in its cluster.");
    static final Setting<String> CLUSTER_NAME = add(
            NODE, "cluster.name", name(64), "forebay", "Name of the cluster, shown to people; the store holds its id.");
    static final Setting<LoggingConfig.Level> LOGGING_LEVEL = add(
            NODE,
            "logging.level",
            enumeration(LoggingConfig.Level.class),
            "info",
            "How much goes to the log on standard error.");
    static final Setting<List<LoggingConfig.LoggerLevel>> LOGGING_LEVELS = add(
            NODE,
            "logging.levels",
            loggerLevels(),
            "org.apache.kafka=warn,io.netty=warn,org.apache.hadoop=error",
            "Levels of single loggers, which win over 'logging.level'.");

    static {
        ClusterSettings.addTo(TABLE);
    }

    // ---- Store ---------------------------------------------------------------------------------------------------
    private static final String STORES = "Store";

    static final Setting<String> STORE_LOCAL_SYNC = add(
            STORES,
            "store.local.sync",
            choice("always", "os"),
            "always",
            "Local folder: 'always' syncs to the disk before an acknowledgement; 'os' leaves that to the operating"
                    + " system, so a power loss may lose acknowledged records (a killed process does not).");
    static final Setting<Long> STORE_LOCAL_RESERVE_BYTES = add(
            STORES,
            "store.local.reserve.bytes",
            bytes(0, 64 * GIB),
            "32MiB",
            "Local folder: space kept aside and freed when the disk is full, so that the node can still close its"
                    + " files in order.");

    static final Setting<Integer> STORE_LOCAL_OPEN_FILES = add(
            STORES,
            "store.local.open.files",
            count(1, 100_000),
            "256",
            "Local folder: how many files stay open for reading.");

    static final Setting<Long> STORE_LOCAL_UNCHECKED_BYTES = add(
            STORES,
            "store.local.unchecked.bytes",
            bytes(0, 1024 * GIB),
            "4GiB",
            "Local folder: large batches in the newest journal files, this much in all, go to readers without a second check of"
                    + " their checksums, if this very process wrote them within the last hour and nobody has touched the file"
                    + " since. At most a quarter of the machine's memory should be promised here; 0 checks always.");

    static final Setting<Long> STORE_S3_TIMEOUT_MS = add(
            STORES,
            "store.s3.timeout.ms",
            millis(100, 10 * 60_000),
            "5s",
            "S3: time after which a request without an answer is sent again; requests with much content get more, one second"
                    + " for each 2 MB.");
    static final Setting<Integer> STORE_S3_TRIES = add(
            STORES,
            "store.s3.tries",
            count(1, 1_000),
            "5",
            "S3: how often a request is sent before the store counts as not available.");
    static final Setting<String> STORE_HDFS_CONF = add(
            STORES,
            "store.hdfs.conf",
            folder(),
            "",
            "HDFS: folder on this machine with the cluster's core-site.xml and hdfs-site.xml; needed for a name service"
                    + " and for Kerberos. A ?conf=FOLDER behind the store's URI wins.");
    static final Setting<String> STORE_HDFS_SYNC = add(
            STORES,
            "store.hdfs.sync",
            choice("hflush", "hsync"),
            "hflush",
            "HDFS: 'hflush' acknowledges when the DataNodes have a record in memory, so a power loss of all of them at"
                    + " once may lose it; 'hsync' when they have it on disk.");
    static final Setting<Integer> STORE_HDFS_MIN_DATANODES = add(
            STORES,
            "store.hdfs.min.datanodes",
            count(1, 512),
            "2",
            "HDFS: how many DataNodes must hold what is acknowledged; 1 only where there is only one.");
    static final Setting<Integer> STORE_HDFS_REPLICATION = add(
            STORES,
            "store.hdfs.replication",
            count(0, 512),
            "0",
            "HDFS: how many DataNodes a new file is given; 0 means what the cluster's files say (dfs.replication, 3).");
    static final Setting<Long> STORE_HDFS_BLOCK_BYTES = add(
            STORES,
            "store.hdfs.block.bytes",
            bytes(MIB, 64 * GIB),
            "256MiB",
            "HDFS: block size of new files, a multiple of 512; above 'journal.file.bytes', so that a journal file lies"
                    + " on one set of DataNodes. A DataNode takes a file only if it has as much space left.");
    static final Setting<Long> STORE_HDFS_SMALL_BYTES = add(
            STORES,
            "store.hdfs.small.bytes",
            bytes(0, 16_000),
            "12KiB",
            "HDFS: objects up to this size are kept by the NameNode, as an extended attribute of an empty file: six times"
                    + " cheaper than a block on three DataNodes. 0 keeps none there, so that a copy of the folder needs"
                    + " no attributes.");
    static final Setting<Integer> STORE_HDFS_OPEN_FILES = add(
            STORES, "store.hdfs.open.files", count(1, 100_000), "256", "HDFS: how many files stay open for reading.");
    static final Setting<Long> STORE_HDFS_FLUSH_TIMEOUT_MS = add(
            STORES,
            "store.hdfs.flush.timeout.ms",
            millis(100, DAY_MS),
            "4s",
            "HDFS: time after which a flush that the DataNodes have not acknowledged counts as failed; the journal then"
                    + " goes on in a new file, without DataNodes that do not answer.");

    // ---- Journal -------------------------------------------------------------------------------------------------
    private static final String JOURNAL = "Journal";

    static final Setting<Long> JOURNAL_FILE_BYTES = add(
            JOURNAL,
            "journal.file.bytes",
            bytes(MIB, GIB),
            "128MiB",
            "Size at which the journal goes on in a new file.");
    static final Setting<Integer> JOURNAL_LANES = add(
            JOURNAL,
            "journal.lanes",
            count(1, 64),
            "1",
            "Number of journals written side by side; more than one pays only if the store is faster that way.");
    static final Setting<Long> JOURNAL_UNRETIRED_BYTES = add(
            JOURNAL,
            "journal.unretired.bytes",
            bytes(16 * MIB, 64 * TIB),
            "4GiB",
            "Size of the journal above which its oldest files, a quarter of this, are written to segments. Batches of"
                    + " 16 KiB and more stay in the journal until then, also in those of up to four earlier runs.");

    static final Setting<Long> JOURNAL_APPEND_TIMEOUT_MS = add(
            JOURNAL,
            "journal.append.timeout.ms",
            millis(100, DAY_MS),
            "10s",
            "Time after which a write that the store has not answered counts as failed; the journal then goes on in a"
                    + " new file.");

    static final Setting<Long> JOURNAL_LINGER_MS = add(
            JOURNAL,
            "journal.linger.ms",
            millis(0, 10_000),
            "250ms",
            "On a store without append (S3): time between two puts of a journal under load, unless 8 MiB wait; after a rest"
                    + " the first goes at once and the next few sooner. Under load 250 ms cost about 52 $ a month in puts,"
                    + " 100 ms 130 $, 1 s 13 $.");

    static final Setting<Integer> JOURNAL_PUTS = add(
            JOURNAL,
            "journal.puts",
            count(1, 16),
            "8",
            "On a store without append (S3): most puts of a journal that are on their way at a time, 32 MiB in all at"
                    + " most. A slow one delays only acknowledgements, until so many are behind it. 1: one after the other.");

    // ---- Shards --------------------------------------------------------------------------------------------------
    private static final String SHARDS = "Shards";

    static final Setting<Long> SHARD_FLUSH_BYTES = add(
            SHARDS,
            "shard.flush.bytes",
            bytes(64 * KIB, GIB),
            "16MiB",
            "Amount of unflushed data at which a shard writes a segment, if its batches are below 16 KiB on average.");
    static final Setting<Integer> SHARD_COUNT_USER = add(
            SHARDS,
            "shard.count.user",
            count(1, 65_536),
            "256",
            "Number of shards for users' topics; it counts when a store is first used and is fixed from then on.");
    static final Setting<Integer> SHARD_COUNT_INTERNAL = add(
            SHARDS,
            "shard.count.internal",
            count(1, 1_024),
            "16",
            "Number of shards for internal topics; it counts when a store is first used and is fixed from then on.");
    static final Setting<Long> COMPACTION_RATE_BYTES = add(
            SHARDS,
            "compaction.rate.bytes",
            bytes(64 * KIB, TIB),
            "32MiB",
            "Bytes a second that compaction may read on this node.");
    static final Setting<Long> RETENTION_CHECK_MS = add(
            SHARDS,
            "log.retention.check.interval.ms",
            millis(100, DAY_MS),
            "1m",
            "Time between two looks for records that have expired (Kafka: 5 minutes).");

    // ---- Cache ---------------------------------------------------------------------------------------------------
    private static final String CACHE = "Cache";

    static final Setting<Long> CACHE_TAIL_BYTES = add(
            CACHE,
            "cache.tail.bytes",
            bytes(4 * MIB, TIB),
            "128MiB",
            "Memory outside the heap for the journal's newest pages, from which readers at the tail are served.");
    static final Setting<Long> CACHE_COLD_BYTES = add(
            CACHE,
            "cache.cold.bytes",
            bytes(4 * MIB, TIB),
            "64MiB",
            "Memory outside the heap for pages read from the store; readers of old data never take from the tail's.");
    static final Setting<Integer> CACHE_READAHEAD_MAX_BYTES = add(
            CACHE,
            "cache.readahead.max.bytes",
            intBytes(0, 64 << 20),
            "2MiB",
            "How far a reader of old data may be read ahead of; 0 turns reading ahead off.");

    // ---- Threads -------------------------------------------------------------------------------------------------
    private static final String THREADS = "Threads";

    static final Setting<Integer> NET_THREADS = add(
            THREADS, "net.threads", count(0, 1_024), "0", "Event loops for sockets; 0 means one for each processor.");
    static final Setting<Integer> SHARD_THREADS = add(
            THREADS, "shard.threads", count(0, 1_024), "0", "Loops that own shards; 0 means one for each processor.");
    static final Setting<Integer> IO_THREADS =
            add(THREADS, "io.threads", count(1, 1_024), "4", "Threads that read from the store.");

    // ---- Network -------------------------------------------------------------------------------------------------
    private static final String NETWORK = "Network and admission";

    static final Setting<Integer> REQUEST_MAX_BYTES = add(
            NETWORK,
            "request.max.bytes",
            intBytes(64 * 1024, 1 << 30),
            "100MiB",
            "Largest request that is read from a socket; a larger one closes the connection (Kafka:"
                    + " socket.request.max.bytes).");
    static final Setting<Long> PRODUCE_INFLIGHT_MAX_BYTES = add(
            NETWORK,
            "produce.inflight.max.bytes",
            bytes(MIB, TIB),
            "128MiB",
            "Memory for requests that wait for their acknowledgement; when it is used up, sockets are not read until"
                    + " some is free.");
    static final Setting<Integer> CONNECTIONS_MAX = add(
            NETWORK,
            "connections.max",
            count(1, 1_000_000),
            "10000",
            "Number of client connections; further ones are closed at once.");
    static final Setting<Long> CONNECTIONS_MAX_IDLE_MS = add(
            NETWORK,
            "connections.max.idle.ms",
            millis(1_000, 365 * DAY_MS),
            "10m",
            "Time after which a connection that sends nothing is closed.");
    static final Setting<Integer> FETCH_MAX_BYTES = add(
            NETWORK,
            "fetch.max.bytes",
            intBytes(1024, 1 << 30),
            "55MiB",
            "Most bytes in one answer to a fetch request; a first batch that is larger is still sent.");
    static final Setting<Integer> FETCH_SESSIONS_MAX = add(
            NETWORK,
            "max.incremental.fetch.session.cache.slots",
            count(0, 1_000_000),
            "1000",
            "Number of incremental fetch sessions that are remembered.");

    // ---- Topics --------------------------------------------------------------------------------------------------
    private static final String TOPICS = "Topic defaults";

    static final Setting<Boolean> AUTO_CREATE_TOPICS = add(
            TOPICS,
            "auto.create.topics.enable",
            bool(),
            "true",
            "Whether a topic is created when a client that allows it asks for an unknown one.");
    static final Setting<Integer> NUM_PARTITIONS = add(
            TOPICS,
            "num.partitions",
            count(1, 100_000),
            "1",
            "Partitions of a topic that is created without saying how many.");
    static final Setting<Optional<Long>> LOG_RETENTION_MS = add(
            TOPICS,
            "log.retention.ms",
            optional(millisOrUnlimited(1, Long.MAX_VALUE)),
            "",
            "How long records are kept; empty means 'log.retention.minutes' counts, -1 for ever.");
    static final Setting<Optional<Integer>> LOG_RETENTION_MINUTES = add(
            TOPICS,
            "log.retention.minutes",
            optional(amountOrUnlimited("minutes", 1, MAX_INT)),
            "",
            "How long records are kept; empty means 'log.retention.hours' counts.");
    static final Setting<Integer> LOG_RETENTION_HOURS = add(
            TOPICS,
            "log.retention.hours",
            amountOrUnlimited("hours", 1, MAX_INT),
            "168",
            "How long records are kept, if neither of the two finer settings is given.");
    static final Setting<Long> LOG_RETENTION_BYTES = add(
            TOPICS,
            "log.retention.bytes",
            bytesOrUnlimited(0, Long.MAX_VALUE),
            "-1",
            "Size of a partition above which its oldest records are dropped.");
    static final Setting<String> LOG_CLEANUP_POLICY = add(
            TOPICS,
            "log.cleanup.policy",
            choice("delete", "compact", "compact,delete"),
            "delete",
            "What happens to old records: 'delete' drops them by age and size, 'compact' keeps the newest of each"
                    + " key.");
    static final Setting<Integer> MESSAGE_MAX_BYTES = add(
            TOPICS, "message.max.bytes", intBytes(1, 1 << 29), "1048588", "Largest batch of records that is accepted.");
    static final Setting<String> COMPRESSION_TYPE = add(
            TOPICS,
            "compression.type",
            choice("producer", "uncompressed", "gzip", "snappy", "lz4", "zstd"),
            "producer",
            "Compression in the store; 'producer' keeps what the producer chose.");
    static final Setting<String> LOG_MESSAGE_TIMESTAMP_TYPE = add(
            TOPICS,
            "log.message.timestamp.type",
            choice("CreateTime", "LogAppendTime"),
            "CreateTime",
            "Whose clock a record's timestamp is from: the producer's or the broker's.");
    static final Setting<Long> LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS = add(
            TOPICS,
            "log.message.timestamp.before.max.ms",
            millis(0, Long.MAX_VALUE),
            Long.toString(Long.MAX_VALUE),
            "How far a producer's timestamp may lie in the past.");
    static final Setting<Long> LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS = add(
            TOPICS,
            "log.message.timestamp.after.max.ms",
            millis(0, Long.MAX_VALUE),
            "1h",
            "How far a producer's timestamp may lie in the future.");
    static final Setting<Integer> PRODUCER_ID_EXPIRATION_MS = add(
            TOPICS,
            "producer.id.expiration.ms",
            intMillis(1, MAX_INT),
            "1d",
            "Time after which an idle idempotent producer is forgotten.");

    static {
        GroupSettings.addTo(TABLE);
    }

    private Settings() {}

    /** Every setting, in the order of the documentation. */
    static List<Setting<?>> all() {
        return Collections.unmodifiableList(TABLE);
    }

    static Optional<Setting<?>> find(String key) {
        return TABLE.stream().filter(setting -> setting.key().equals(key)).findFirst();
    }

    private static <T> Setting<T> add(String section, String key, SettingType<T> type, String defaultText, String doc) {
        Setting<T> setting = new Setting<>(key, section, type, defaultText, doc);
        TABLE.add(setting);
        return setting;
    }
}
