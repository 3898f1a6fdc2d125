package io.forebay.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The whole configuration of a node, checked: one record for each room that is configured.
 *
 * @param entries every setting with its value and where that came from, in the order of the documentation
 */
public record ForebayConfig(
        NodeConfig node,
        ClusterConfig cluster,
        StoreConfig store,
        JournalConfig journal,
        ShardConfig shards,
        CacheConfig cache,
        ThreadConfig threads,
        NetworkConfig network,
        TopicConfig topics,
        GroupConfig groups,
        LoggingConfig logging,
        List<ConfigEntry> entries) {

    public ForebayConfig {
        entries = List.copyOf(entries);
    }

    /** A node with nothing but defaults. */
    public static ForebayConfig defaults() {
        return from(new SettingValues());
    }

    /**
     * Reads a configuration.
     *
     * @param file lines of the configuration file, if there is one
     * @param sets texts {@code key=value} from the command line; they win over the file, and the last of several wins
     */
    public static ConfigReading read(Optional<ConfigText> file, List<String> sets) {
        List<String> problems = new ArrayList<>();
        SettingValues values = new SettingValues();
        Map<String, String> seenInFile = new LinkedHashMap<>();
        file.ifPresent(text -> {
            for (ConfigText.Assignment assignment : text.assignments(problems)) {
                String earlier = seenInFile.putIfAbsent(assignment.key(), assignment.where());
                if (earlier != null) {
                    problems.add(assignment.where() + "'" + assignment.key() + "' is set twice, first at "
                            + earlier.substring(0, earlier.length() - 2));
                }
                values.take(assignment, problems);
            }
        });
        for (ConfigText.Assignment assignment : ConfigText.fromCommandLine(sets, problems)) {
            values.take(assignment, problems);
        }
        if (problems.isEmpty()) {
            problems.addAll(ConfigChecks.problems(values));
        }
        return problems.isEmpty() ? new ConfigReading.Valid(from(values)) : new ConfigReading.Refused(problems);
    }

    private static ForebayConfig from(SettingValues values) {
        return new ForebayConfig(
                new NodeConfig(
                        values.value(Settings.NODE_ID),
                        values.value(Settings.CLUSTER_NAME),
                        values.value(ClusterSettings.RACK).orElse(""),
                        Set.copyOf(values.value(ClusterSettings.ROLES))),
                ClusterSettings.read(values),
                new StoreConfig(values.value(Settings.STORE), plainTexts(values, storeSettings())),
                new JournalConfig(
                        values.value(Settings.JOURNAL_FILE_BYTES),
                        values.value(Settings.JOURNAL_LANES),
                        values.value(Settings.JOURNAL_APPEND_TIMEOUT_MS),
                        values.value(Settings.JOURNAL_UNRETIRED_BYTES),
                        values.value(Settings.JOURNAL_LINGER_MS),
                        values.value(Settings.JOURNAL_PUTS)),
                new ShardConfig(
                        values.value(Settings.SHARD_FLUSH_BYTES),
                        values.value(Settings.SHARD_COUNT_USER),
                        values.value(Settings.SHARD_COUNT_INTERNAL),
                        values.value(Settings.COMPACTION_RATE_BYTES),
                        values.value(Settings.RETENTION_CHECK_MS)),
                new CacheConfig(
                        values.value(Settings.CACHE_TAIL_BYTES),
                        values.value(Settings.CACHE_COLD_BYTES),
                        values.value(Settings.CACHE_READAHEAD_MAX_BYTES)),
                threads(values),
                network(values),
                topics(values),
                groups(values),
                new LoggingConfig(values.value(Settings.LOGGING_LEVEL), values.value(Settings.LOGGING_LEVELS)),
                values.entries());
    }

    private static ThreadConfig threads(SettingValues values) {
        int processors = Runtime.getRuntime().availableProcessors();
        int net = values.value(Settings.NET_THREADS);
        int shard = values.value(Settings.SHARD_THREADS);
        return new ThreadConfig(
                net == 0 ? processors : net, shard == 0 ? processors : shard, values.value(Settings.IO_THREADS));
    }

    private static NetworkConfig network(SettingValues values) {
        HostPort listen = values.value(Settings.LISTEN);
        return new NetworkConfig(
                listen,
                values.value(Settings.ADVERTISE).orElse(listen),
                values.value(Settings.REQUEST_MAX_BYTES),
                values.value(Settings.PRODUCE_INFLIGHT_MAX_BYTES),
                values.value(Settings.CONNECTIONS_MAX),
                values.value(Settings.CONNECTIONS_MAX_IDLE_MS),
                values.value(Settings.FETCH_MAX_BYTES),
                values.value(Settings.FETCH_SESSIONS_MAX));
    }

    private static TopicConfig topics(SettingValues values) {
        return new TopicConfig(
                values.value(Settings.AUTO_CREATE_TOPICS),
                values.value(Settings.NUM_PARTITIONS),
                retentionMs(values),
                values.value(Settings.LOG_RETENTION_BYTES),
                values.value(Settings.LOG_CLEANUP_POLICY),
                values.value(Settings.MESSAGE_MAX_BYTES),
                values.value(Settings.COMPRESSION_TYPE),
                values.value(Settings.LOG_MESSAGE_TIMESTAMP_TYPE),
                values.value(Settings.LOG_MESSAGE_TIMESTAMP_BEFORE_MAX_MS),
                values.value(Settings.LOG_MESSAGE_TIMESTAMP_AFTER_MAX_MS),
                values.value(Settings.PRODUCER_ID_EXPIRATION_MS));
    }

    /** The finest unit that is set counts, as in Kafka. */
    private static long retentionMs(SettingValues values) {
        Optional<Long> millis = values.value(Settings.LOG_RETENTION_MS);
        Optional<Integer> minutes = values.value(Settings.LOG_RETENTION_MINUTES);
        int hours = values.value(Settings.LOG_RETENTION_HOURS);
        long coarse = hours == -1 ? -1 : hours * 3_600_000L;
        return millis.orElseGet(
                () -> minutes.map(m -> m == -1 ? -1 : m * 60_000L).orElse(coarse));
    }

    private static GroupConfig groups(SettingValues values) {
        return new GroupConfig(
                values.value(GroupSettings.OFFSETS_TOPIC_PARTITIONS), plainTexts(values, GroupSettings.all()));
    }

    private static List<Setting<?>> storeSettings() {
        return List.of(
                Settings.STORE_LOCAL_SYNC,
                Settings.STORE_LOCAL_RESERVE_BYTES,
                Settings.STORE_LOCAL_OPEN_FILES,
                Settings.STORE_LOCAL_UNCHECKED_BYTES,
                Settings.STORE_S3_TIMEOUT_MS,
                Settings.STORE_S3_TRIES,
                Settings.STORE_HDFS_CONF,
                Settings.STORE_HDFS_SYNC,
                Settings.STORE_HDFS_MIN_DATANODES,
                Settings.STORE_HDFS_REPLICATION,
                Settings.STORE_HDFS_BLOCK_BYTES,
                Settings.STORE_HDFS_SMALL_BYTES,
                Settings.STORE_HDFS_OPEN_FILES,
                Settings.STORE_HDFS_FLUSH_TIMEOUT_MS);
    }

    private static Map<String, String> plainTexts(SettingValues values, List<Setting<?>> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach(setting -> texts.put(setting.key(), values.plainText(setting)));
        return texts;
    }
}
