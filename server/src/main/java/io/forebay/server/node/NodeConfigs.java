package io.forebay.server.node;

import io.forebay.broker.admin.Admin;
import io.forebay.broker.admin.ConfigDefaults;
import io.forebay.broker.admin.TopicSettings;
import io.forebay.kafka.KafkaConfig;
import io.forebay.log.LogConfig;
import io.forebay.log.journal.JournalConfig;
import io.forebay.log.shard.ShardConfig;
import io.forebay.server.config.ConfigEntry;
import io.forebay.server.config.ForebayConfig;
import io.forebay.server.config.NetworkConfig;
import io.forebay.server.config.TopicConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;

/** Translates the node's configuration into what each room takes. Pure. */
final class NodeConfigs {

    /** Pages of the cache; also the unit in which the journal is written. */
    private static final int PAGE_BYTES = 1 << 20;

    private NodeConfigs() {}

    /** The store's settings. Of several nodes on one folder each has a corner of its own, and none may be started twice. */
    static Map<String, String> store(ForebayConfig config) {
        Map<String, String> settings = new HashMap<>(config.store().settings());
        if (config.cluster().listen().isPresent()) {
            settings.putIfAbsent(
                    "store.local.lock.name", "node-" + config.node().id());
        }
        return settings;
    }

    static io.forebay.log.cache.CacheConfig cache(ForebayConfig config) {
        return new io.forebay.log.cache.CacheConfig(
                PAGE_BYTES,
                config.cache().tailBytes(),
                config.cache().coldBytes(),
                config.cache().readAheadMaxBytes());
    }

    static LogConfig log(ForebayConfig config) {
        LogConfig defaults = LogConfig.DEFAULT;
        ShardConfig shard = defaults.shard();
        return new LogConfig(
                journal(
                        Math.toIntExact(config.journal().fileBytes()),
                        config.journal().lingerMs(),
                        config.journal().puts()),
                defaults.fence(),
                new ShardConfig(
                        config.shards().flushBytes(),
                        shard.flushFrames(),
                        shard.mergeFanIn(),
                        config.shards().compactionRateBytes(),
                        shard.largestSegmentBytes(),
                        shard.graceMs(),
                        shard.snapshotBytes()),
                config.journal().lanes(),
                config.journal().unretiredBytes(),
                defaults.openParallelism(),
                defaults.indexBytes(),
                defaults.checkMs());
    }

    /** A journal with files of this size that waits so long between two puts, of which so many are on their way at most. */
    static JournalConfig journal(int fileBytes, long lingerMs, int puts) {
        JournalConfig defaults = JournalConfig.DEFAULT;
        return new JournalConfig(
                fileBytes,
                defaults.fileFrames(),
                defaults.groupBytes(),
                defaults.appendTimeoutMs(),
                defaults.createTries(),
                defaults.retryMs(),
                lingerMs,
                puts);
    }

    static KafkaConfig kafka(ForebayConfig config, int port) {
        NetworkConfig network = config.network();
        return new KafkaConfig(
                network.listen().host(),
                port,
                network.requestMaxBytes(),
                network.produceInFlightMaxBytes(),
                network.connectionsMax(),
                network.connectionsMaxIdleMs(),
                network.fetchMaxBytes(),
                config.cache().coldBytes() / 2,
                network.fetchSessionsMax(),
                config.topics().autoCreate());
    }

    static ConfigDefaults defaults(ForebayConfig config) {
        TopicConfig topics = config.topics();
        Map<String, String> topicDefaults = new HashMap<>();
        topicDefaults.put("retention.ms", Long.toString(topics.retentionMs()));
        topicDefaults.put("retention.bytes", Long.toString(topics.retentionBytes()));
        topicDefaults.put("cleanup.policy", topics.cleanupPolicy());
        topicDefaults.put("max.message.bytes", Integer.toString(topics.messageMaxBytes()));
        topicDefaults.put("compression.type", topics.compressionType());
        topicDefaults.put("message.timestamp.type", topics.timestampType());
        topicDefaults.put("message.timestamp.before.max.ms", Long.toString(topics.timestampBeforeMaxMs()));
        topicDefaults.put("message.timestamp.after.max.ms", Long.toString(topics.timestampAfterMaxMs()));
        List<Admin.ConfigEntry> entries = new ArrayList<>();
        for (ConfigEntry entry : config.entries()) {
            ConfigSource source = entry.source() == ConfigEntry.Source.DEFAULT
                    ? ConfigSource.DEFAULT_CONFIG
                    : ConfigSource.STATIC_BROKER_CONFIG;
            entries.add(new Admin.ConfigEntry(
                    entry.key(),
                    entry.value(),
                    source,
                    ConfigType.STRING,
                    !TopicSettings.isDynamicBrokerSetting(entry.key()),
                    false,
                    List.of(new Admin.ConfigSynonym(entry.key(), entry.value(), source)),
                    entry.doc()));
        }
        return new ConfigDefaults(
                topicDefaults, entries, topics.partitions(), config.groups().offsetsTopicPartitions());
    }
}
