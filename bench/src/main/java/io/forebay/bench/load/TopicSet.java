package io.forebay.bench.load;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;

/**
 * The topics that one load works on: several alike, or one.
 *
 * @param name name of the only topic, or what the names of several begin with
 * @param topics how many there are
 * @param partitions partitions of each
 */
public record TopicSet(String name, int topics, int partitions) {
    public TopicSet {
        if (topics < 1 || partitions < 1) {
            throw new IllegalArgumentException("empty topic set " + name);
        }
    }

    /** A set of so many partitions in all: topics of at most 64 partitions each. */
    public static TopicSet ofPartitions(String name, int partitions) {
        int each = Math.min(partitions, 64);
        if (partitions % each != 0) {
            throw new IllegalArgumentException(partitions + " partitions do not divide into topics of " + each);
        }
        return new TopicSet(name, partitions / each, each);
    }

    /** Reads the set of a request. */
    public static TopicSet of(Line line) {
        return new TopicSet(line.text("topic"), line.count("topics"), line.count("partitions"));
    }

    /** Adds the set to a request. */
    public Line addTo(Line line) {
        return line.with("topic", name).with("topics", topics).with("partitions", partitions);
    }

    /** Partitions of all topics. */
    public int total() {
        return topics * partitions;
    }

    /** Names of all topics. */
    public List<String> names() {
        List<String> names = new ArrayList<>(topics);
        for (int i = 0; i < topics; i++) {
            names.add(topics == 1 ? name : name + "-" + i);
        }
        return names;
    }

    /** Every partition, topics taking turns, so that consecutive numbers are spread over topics. */
    public List<TopicPartition> all() {
        List<String> names = names();
        List<TopicPartition> all = new ArrayList<>(total());
        for (int i = 0; i < total(); i++) {
            all.add(new TopicPartition(names.get(i % topics), i / topics));
        }
        return all;
    }
}
