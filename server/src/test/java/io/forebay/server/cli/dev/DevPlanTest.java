package io.forebay.server.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.cli.dev.DevPlan.DevNode;
import io.forebay.server.config.ConfigReading;
import io.forebay.server.config.ForebayConfig;
import io.forebay.server.config.HostPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DevPlanTest {

    @Test
    void givesEveryNodeItsNumberAndPortsOnOneStore() {
        DevPlan plan = plan(3, List.of(), List.of());

        assertThat(plan.bootstrap()).isEqualTo("127.0.0.1:9092,127.0.0.1:9093,127.0.0.1:9094");
        assertThat(plan.nodes().stream().map(DevNode::control))
                .containsExactly(
                        new HostPort("127.0.0.1", 9096),
                        new HostPort("127.0.0.1", 9097),
                        new HostPort("127.0.0.1", 9098));
        ForebayConfig second = config(plan.nodes().get(1).arguments());
        assertThat(second.node().id()).isEqualTo(2);
        assertThat(second.network().listen()).isEqualTo(new HostPort("127.0.0.1", 9093));
        assertThat(second.cluster().listen()).contains(new HostPort("127.0.0.1", 9097));
        assertThat(second.store().location()).hasToString("file:///s");
    }

    @Test
    void keepsNodesSmallUnlessTheUserSaysOtherwise() {
        List<String> mine = List.of("--set", "cache.tail.bytes=64MiB", "--set", "node.id=7");

        ForebayConfig config = config(plan(2, mine, List.of("cache.tail.bytes=64MiB", "node.id=7"))
                .nodes()
                .get(0)
                .arguments());

        assertThat(config.cache().tailBytes()).isEqualTo(64L << 20);
        assertThat(config.cache().coldBytes()).isEqualTo(16L << 20);
        assertThat(config.node().id()).isEqualTo(1);
    }

    @Test
    void portsDoNotMeet() {
        DevPlan plan = plan(9, List.of(), List.of());

        List<Integer> ports = new ArrayList<>();
        plan.nodes().forEach(node -> {
            ports.add(node.listen().port());
            ports.add(node.control().port());
        });
        assertThat(ports).doesNotHaveDuplicates();
    }

    @Test
    void takesFreePortsIfAskedTo() {
        DevPlan plan = plan(2, List.of(), List.of("listen=127.0.0.1:0"));

        assertThat(plan.bootstrap()).isEqualTo("127.0.0.1:7001,127.0.0.1:7003");
        assertThat(plan.nodes().get(1).control().port()).isEqualTo(7004);
    }

    private static DevPlan plan(int count, List<String> given, List<String> sets) {
        ForebayConfig config = ((ConfigReading.Valid) ForebayConfig.read(Optional.empty(), sets)).config();
        int[] port = {7000};
        return DevPlan.of(count, given, config, "file:///s", () -> ++port[0]);
    }

    private static ForebayConfig config(List<String> arguments) {
        List<String> sets = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            assertThat(arguments.get(i)).isEqualTo("--set");
            sets.add(arguments.get(i + 1));
        }
        ConfigReading reading = ForebayConfig.read(Optional.empty(), sets);
        assertThat(reading).isInstanceOf(ConfigReading.Valid.class);
        return ((ConfigReading.Valid) reading).config();
    }
}
