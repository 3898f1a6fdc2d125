package io.forebay.bench.cluster;

import java.util.List;

/**
 * How much is done.
 *
 * @param stores of the rows that run on several
 * @param rounds each with a new cluster
 * @param partitions of the smaller topic whose nodes die
 * @param manyPartitions of all topics together when they die again
 * @param restartPartitions of all topics when all nodes are restarted
 * @param moves of shards in each round
 * @param seconds of each slice of a load
 * @param produceMiB of one produce load
 * @param writers that are killed
 * @param nodeDeaths DataNodes that are killed with a writer
 * @param catchUpMiB that the cold reader reads
 * @param topics in the controller's image
 * @param partitionsOfTopic of each of these
 * @param changes topics that are created to see how fast all nodes know
 * @param heap largest heap of each node, as in {@code 512m}
 */
record ClusterPlan(
        List<String> stores,
        int rounds,
        int partitions,
        int manyPartitions,
        int restartPartitions,
        int moves,
        int seconds,
        int produceMiB,
        int writers,
        int nodeDeaths,
        int catchUpMiB,
        int topics,
        int partitionsOfTopic,
        int changes,
        String heap) {}
