package io.forebay.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.machine.Machine;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterReportTest {
    private final Samples samples = new Samples();

    @Test
    void judgesTheMedianOfAStoreAgainstItsBar() {
        samples.add("kill.broker.1000", "hdfs", 0, 3_000);
        samples.add("kill.broker.1000", "hdfs", 1, 3_500);
        samples.add("kill.broker.1000", "hdfs", 2, 9_000);

        assertThat(render())
                .contains("| kill -9 of a broker until all of 1,000 partitions acknowledge | HDFS | 3500 (3000…9000) "
                        + "| ms | 3 | ≤ 5000 ms: met |")
                .doesNotContain("A shard moves");
    }

    @Test
    void judgesAPercentileOnlyFromQuietRounds() {
        samples.add(new Sample("move.p99", "folder", 0, 900, false));
        samples.add(new Sample("move.p99", "folder", 1, 150, true));
        samples.add(new Sample("move.p99", "hdfs", 0, 150, false));

        assertThat(render())
                .contains("| folder | 525.0 (150.0…900.0) | ms | 2, 1 quiet | ≤ 200 ms: met |")
                .contains("| HDFS | 150.0 | ms | 1, 0 quiet | ≤ 200 ms: noisy, not judged |");
    }

    @Test
    void figuresOfEarlierRunsStayWhereThereAreNoNewOnes() {
        samples.add("restart.2048", "s3", 0, 4_000);
        samples.addMissingTargets(List.of(
                new Sample("restart.2048", "s3", 0, 1, true), new Sample("restart.2048", "folder", 0, 2_000, true)));

        assertThat(samples.all()).hasSize(2);
        assertThat(render()).contains("| folder | 2000 |").contains("| S3 | 4000 |");
    }

    @Test
    void everyNameIsUsedOnce() {
        Set<String> names = new HashSet<>();

        ClusterMetrics.groups()
                .values()
                .forEach(group -> group.forEach(metric ->
                        assertThat(names.add(metric.id())).as(metric.id()).isTrue()));

        assertThat(names).contains("requests.load.put.journal", "tail.ratio");
    }

    private String render() {
        Machine machine = new Machine(2, "chip", 1L << 30, "Linux 6", "ext4", "JVM 17");
        return ClusterReport.render(
                new Setting(List.of(), machine, ClusterMetrics.TARGETS, List.of(), List.of()), samples);
    }
}
