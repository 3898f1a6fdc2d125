package io.forebay.conformance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.bench.peer.FreePorts;
import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.ForebayProcess;
import io.forebay.conformance.stores.SharedFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;

/** Addresses are used again: where the controller of one cluster was, that of another one listens now. */
final class ForeignControllerTest {

    @Test
    void aNodeJoinsTheClusterOfItsStoreAndNoOther() throws Exception {
        Path ours = BrokerExtension.freshFolder("foreign-ours");
        String control = "127.0.0.1:" + FreePorts.next();
        try (ForebayProcess first = node("foreign-ours-1", ours, 1, control)) {
            ready(first);
            create(first, "ours");
            first.kill();
        }
        try (ForebayProcess foreign = node("foreign-1", BrokerExtension.freshFolder("foreign-theirs"), 1, control);
                ForebayProcess second = node("foreign-ours-2", ours, 2, "127.0.0.1:" + FreePorts.next())) {
            ready(foreign);
            create(foreign, "theirs");

            ready(second);

            assertThat(topics(second)).containsExactly("ours");
            // Node 1 is listed until its session has ended.
            assertThat(nodes(second)).contains(2);
            assertThat(topics(foreign)).containsExactly("theirs");
            assertThat(nodes(foreign)).containsExactly(1);
            assertThat(foreign.log()).doesNotContain("leads term 0 no more");
        }
    }

    private static ForebayProcess node(String name, Path store, int id, String control) {
        Map<String, String> settings = new HashMap<>(new SharedFolder(store).settings());
        settings.put("node.id", Integer.toString(id));
        settings.put("cluster.listen", control);
        return new ForebayProcess(name, store, settings);
    }

    private static void ready(ForebayProcess node) {
        node.begin();
        assertThat(node.awaitReady(Duration.ofSeconds(60))).isEmpty();
    }

    private static void create(ForebayProcess node, String topic) throws Exception {
        try (Admin admin = admin(node)) {
            admin.createTopics(List.of(new NewTopic(topic, 4, (short) 1))).all().get();
        }
    }

    private static Set<String> topics(ForebayProcess node) throws Exception {
        try (Admin admin = admin(node)) {
            return admin.listTopics().names().get();
        }
    }

    private static List<Integer> nodes(ForebayProcess node) throws Exception {
        try (Admin admin = admin(node)) {
            return admin.describeCluster().nodes().get().stream()
                    .map(one -> one.id())
                    .toList();
        }
    }

    private static Admin admin(ForebayProcess node) {
        return Admin.create(Map.of("bootstrap.servers", node.bootstrap()));
    }
}
