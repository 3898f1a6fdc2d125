package io.forebay.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.ForebayProcess;
import io.forebay.conformance.stores.SharedFolder;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node that was started without the settings of the cluster whose store it has: it must harm nobody. */
final class LoneNodeTest {

    @Test
    void isRefusedBesideTheControllerWhoseNumberItHas() {
        Path folder = BrokerExtension.freshFolder("lone");
        try (ForebayCluster cluster = new ForebayCluster("lone", 2, new SharedFolder(folder), Map.of())) {
            cluster.start(1);
            cluster.awaitReady(1);
            cluster.start(2);
            cluster.awaitReady(2);
            int controller = cluster.controller().orElseThrow();

            CommandRun intruder = new ForebayProcess(
                            "lone-intruder", folder, Map.of("node.id", Integer.toString(controller)))
                    .startRefused();

            assertThat(intruder.stderr()).contains("give this node cluster.listen and another node.id");
            assertThat(cluster.dead()).isEmpty();
            assertThat(cluster.controller()).hasValue(controller);
        }
    }
}
