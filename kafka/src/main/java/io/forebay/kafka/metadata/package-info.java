/**
 * What there is and who serves it: ApiVersions, Metadata, DescribeTopicPartitions, DescribeCluster. Answered from the cluster's image;
 * only the creation of a topic on first use goes further.
 */
@NullMarked
package io.forebay.kafka.metadata;

import org.jspecify.annotations.NullMarked;
