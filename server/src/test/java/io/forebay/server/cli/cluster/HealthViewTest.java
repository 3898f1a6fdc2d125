package io.forebay.server.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.formats.control.NodeHealth;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HealthViewTest {

    private static NodeHealth.Builder well() {
        return NodeHealth.newBuilder()
                .setNodeId(2)
                .setSession(14)
                .setProofAgeMs(120)
                .setProofHoldsMs(3_000)
                .setVersion(500)
                .setControllerNode(1)
                .setControllerHeardMs(40)
                .setOwnsShards(true)
                .setOwnedShards(90)
                .setOpenShards(64);
    }

    private static String printed(NodeHealth.Builder health) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ClusterHealthCommand.print(HealthView.of(health.build()), new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void saysThatANodeIsWell() {
        assertThat(printed(well()).lines())
                .containsExactly(
                        "node        2",
                        "session     14",
                        "store       answered 120 ms ago",
                        "shards      90 owned, 64 open",
                        "controller  node 1, answered 40 ms ago",
                        "this node is well");
    }

    @Test
    void saysWhatFollowsFromALostStore() {
        HealthView view = HealthView.of(well().setProofAgeMs(3_000).build());

        assertThat(view.isWell()).isFalse();
        assertThat(view.problems())
                .containsExactly("the store has not answered it for 3000 ms: it serves nothing until that answers");
    }

    @Test
    void saysWhatFollowsFromALostController() {
        assertThat(HealthView.of(well().setControllerHeardMs(4_000).build()).problems())
                .containsExactly("no controller has answered it for 4000 ms: what is open is served, metadata cannot"
                        + " change");
        assertThat(HealthView.of(well().setSession(-1).setControllerHeardMs(-1).build())
                        .problems())
                .hasSize(2);
    }

    @Test
    void aControllerAloneNeedsNoProof() {
        assertThat(HealthView.of(well().setOwnsShards(false).setProofAgeMs(-1).build())
                        .isWell())
                .isTrue();
        assertThat(printed(well().setOwnsShards(false).setProofAgeMs(-1))).doesNotContain("store ");
    }
}
