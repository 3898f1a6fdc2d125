package io.forebay.broker.admin;

import io.forebay.broker.partition.TopicConfig;
import io.forebay.broker.partition.TopicConfigSource;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.jspecify.annotations.Nullable;

/**
 * Topic settings: Kafka's own definitions (names, defaults, ranges, documentation), resolved in Kafka's order: topic, this broker's dynamic setting, all
 * brokers' dynamic setting, the node's configuration, the default. Thread-safe.
 */
public final class TopicSettings implements TopicConfigSource {

    /** Distinct combinations of settings that are kept parsed. */
    private static final int PARSED_KEPT = 1_000;

    private final String nodeId;
    private final ConfigDefaults defaults;
    private final Map<Given, TopicConfig> parsed = new ConcurrentHashMap<>();

    public TopicSettings(int nodeId, ConfigDefaults defaults) {
        this.nodeId = Integer.toString(nodeId);
        this.defaults = defaults;
    }

    /** What was set where, from the weakest to the strongest. Asked for once for each partition, so nothing is merged before it is looked up. */
    private record Given(Map<String, String> cluster, Map<String, String> node, Map<String, String> topic) {}

    @Override
    public TopicConfig of(TopicImage topic, ClusterImage image) {
        Given given = new Given(image.brokerConfigs(""), image.brokerConfigs(nodeId), topic.configs());
        TopicConfig known = parsed.get(given);
        if (known != null) {
            return known;
        }
        TopicConfig config = parse(effective(given));
        if (parsed.size() >= PARSED_KEPT) {
            parsed.clear();
        }
        parsed.put(given, config);
        return config;
    }

    private Map<String, String> effective(Given given) {
        Map<String, String> effective = new HashMap<>(defaults.topicDefaults());
        addDynamic(effective, given.cluster());
        addDynamic(effective, given.node());
        effective.putAll(given.topic());
        return effective;
    }

    private static void addDynamic(Map<String, String> effective, Map<String, String> brokerConfigs) {
        if (brokerConfigs.isEmpty()) {
            return;
        }
        ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.forEach((topicName, brokerName) -> {
            String value = brokerConfigs.get(brokerName);
            if (value != null) {
                effective.put(topicName, value);
            }
        });
    }

    private static TopicConfig parse(Map<String, String> effective) {
        LogConfig config = new LogConfig(effective);
        return new TopicConfig(
                config.maxMessageSize(),
                TopicConfig.StoredCompression.of(config.compressionType.name),
                config.messageTimestampType == TimestampType.LOG_APPEND_TIME,
                config.messageTimestampBeforeMaxMs,
                config.messageTimestampAfterMaxMs,
                config.delete,
                config.compact,
                config.retentionMs,
                config.retentionSize);
    }

    /** What is wrong with a topic's own settings; empty if nothing. Pure. */
    Optional<String> problem(Map<String, String> topicConfigs) {
        try {
            LogConfig.validate(Map.of(), topicConfigs, defaults.topicDefaults(), false);
            return Optional.empty();
        } catch (InvalidConfigurationException | ConfigException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Whether a dynamic broker setting is the default of a topic setting, and so may be changed at run time. */
    public static boolean isDynamicBrokerSetting(String brokerName) {
        return ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.containsValue(brokerName);
    }

    /** What is wrong with a broker's dynamic settings; empty if nothing. */
    Optional<String> brokerProblem(Map<String, String> brokerConfigs) {
        Map<String, String> asTopic = new HashMap<>();
        addDynamic(asTopic, brokerConfigs);
        return problem(asTopic);
    }

    /** Whether a topic setting takes a list, to which can be appended. */
    static boolean isList(String topicName) {
        return LogConfig.configType(topicName)
                .filter(type -> type == ConfigDef.Type.LIST)
                .isPresent();
    }

    static boolean isKnown(String topicName) {
        return LogConfig.configNames().contains(topicName);
    }

    /** What a topic without a setting of its own has; empty if that is nothing. */
    String inherited(String topicName, ClusterImage image) {
        return describe(Map.of(), image).stream()
                .filter(entry -> entry.name().equals(topicName))
                .map(Admin.ConfigEntry::value)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
    }

    /** All effective settings of a topic, by name. */
    List<Admin.ConfigEntry> describe(Map<String, String> topicConfigs, ClusterImage image) {
        List<Admin.ConfigEntry> entries = new ArrayList<>();
        for (String name : new TreeSet<>(LogConfig.configNames())) {
            ConfigDef.ConfigKey key = LogConfig.configKeys().get(name);
            if (key == null || key.internalConfig) {
                continue;
            }
            List<Admin.ConfigSynonym> synonyms = synonyms(name, key, topicConfigs, image);
            Admin.ConfigSynonym first = synonyms.isEmpty()
                    ? new Admin.ConfigSynonym(name, null, ConfigSource.DEFAULT_CONFIG)
                    : synonyms.get(0);
            entries.add(new Admin.ConfigEntry(
                    name,
                    first.value(),
                    first.source(),
                    typeOf(key.type),
                    false,
                    key.type == ConfigDef.Type.PASSWORD,
                    synonyms,
                    key.documentation == null ? "" : key.documentation));
        }
        return entries;
    }

    private List<Admin.ConfigSynonym> synonyms(
            String name, ConfigDef.ConfigKey key, Map<String, String> topicConfigs, ClusterImage image) {
        List<Admin.ConfigSynonym> synonyms = new ArrayList<>();
        String brokerName = ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.getOrDefault(name, name);
        add(synonyms, name, topicConfigs.get(name), ConfigSource.TOPIC_CONFIG);
        add(synonyms, brokerName, image.brokerConfigs(nodeId).get(brokerName), ConfigSource.DYNAMIC_BROKER_CONFIG);
        add(synonyms, brokerName, image.brokerConfigs("").get(brokerName), ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
        String byDefault = key.hasDefault() ? ConfigDef.convertToString(key.defaultValue, key.type) : null;
        String ofNode = defaults.topicDefaults().get(name);
        if (!Objects.equals(ofNode, byDefault)) {
            add(synonyms, brokerName, ofNode, ConfigSource.STATIC_BROKER_CONFIG);
        }
        add(synonyms, brokerName, byDefault, ConfigSource.DEFAULT_CONFIG);
        return synonyms;
    }

    private static void add(
            List<Admin.ConfigSynonym> synonyms, String name, @Nullable String value, ConfigSource source) {
        if (value != null) {
            synonyms.add(new Admin.ConfigSynonym(name, value, source));
        }
    }

    private static ConfigType typeOf(ConfigDef.Type type) {
        return switch (type) {
            case BOOLEAN -> ConfigType.BOOLEAN;
            case STRING -> ConfigType.STRING;
            case INT -> ConfigType.INT;
            case SHORT -> ConfigType.SHORT;
            case LONG -> ConfigType.LONG;
            case DOUBLE -> ConfigType.DOUBLE;
            case LIST -> ConfigType.LIST;
            case CLASS -> ConfigType.CLASS;
            case PASSWORD -> ConfigType.PASSWORD;
        };
    }
}
