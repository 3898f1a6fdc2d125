/**
 * What clusters of Forebay do when nodes die, stop, come and are loaded, over a folder, HDFS and S3: one {@link io.forebay.bench.cluster.ClusterRow} for each group of
 * figures, with everything it needs as processes of its own. Which figures there are and what they must reach stands in
 * {@link io.forebay.bench.report.ClusterMetrics}.
 *
 * <p>Kept true: a figure that is compared with another one comes from the same round of the same run; everything listens on 127.0.0.1 and ends with this JVM.
 */
@NullMarked
package io.forebay.bench.cluster;

import org.jspecify.annotations.NullMarked;
