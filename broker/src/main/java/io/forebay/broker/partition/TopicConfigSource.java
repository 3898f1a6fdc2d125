package io.forebay.broker.partition;

import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;

/** Resolves the settings of a topic: its own, then the brokers' dynamic ones, then this node's configuration. */
@FunctionalInterface
public interface TopicConfigSource {
    TopicConfig of(TopicImage topic, ClusterImage image);
}
