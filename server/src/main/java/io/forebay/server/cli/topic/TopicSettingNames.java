package io.forebay.server.cli.topic;

import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.config.NearestKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;

/**
 * Kafka's names of topic settings, to guess what somebody meant. Brokers may know more of them: only a name that one has refused is looked at.
 */
final class TopicSettingNames {
    private static final List<String> NAMES = List.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.COMPRESSION_TYPE_CONFIG,
            TopicConfig.DELETE_RETENTION_MS_CONFIG,
            TopicConfig.FILE_DELETE_DELAY_MS_CONFIG,
            TopicConfig.FLUSH_MESSAGES_INTERVAL_CONFIG,
            TopicConfig.FLUSH_MS_CONFIG,
            TopicConfig.INDEX_INTERVAL_BYTES_CONFIG,
            TopicConfig.MAX_COMPACTION_LAG_MS_CONFIG,
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG,
            TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG,
            TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
            TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
            TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
            TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
            TopicConfig.PREALLOCATE_CONFIG,
            TopicConfig.RETENTION_BYTES_CONFIG,
            TopicConfig.RETENTION_MS_CONFIG,
            TopicConfig.SEGMENT_BYTES_CONFIG,
            TopicConfig.SEGMENT_INDEX_BYTES_CONFIG,
            TopicConfig.SEGMENT_JITTER_MS_CONFIG,
            TopicConfig.SEGMENT_MS_CONFIG,
            TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG);

    private TopicSettingNames() {}

    /**
     * What to tell the user of a refusal: the broker's own words, unless they complain of a name that is near to one of Kafka's.
     *
     * @param given names of the settings that the user has given
     */
    static CommandFailure explain(CommandFailure refusal, Collection<String> given) {
        Throwable cause = BrokerFailures.causeOf(refusal);
        if (!(cause instanceof InvalidConfigurationException)) {
            return refusal;
        }
        String words = String.valueOf(cause.getMessage());
        for (String name : given) {
            Optional<String> nearest =
                    NAMES.contains(name) || !words.contains(name) ? Optional.empty() : NearestKey.of(name, NAMES);
            if (nearest.isPresent()) {
                return CommandFailure.failed(
                        "unknown topic setting '" + name + "'; did you mean '" + nearest.get() + "'?", refusal);
            }
        }
        return refusal;
    }
}
