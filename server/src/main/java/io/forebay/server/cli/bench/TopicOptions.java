package io.forebay.server.cli.bench;

import io.forebay.server.cli.client.BrokerAdmin;
import io.forebay.server.cli.terminal.CommandFailure;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Option;

/** Which topic the load is for. */
final class TopicOptions {
    @Option(
            names = "--topic",
            paramLabel = "NAME",
            defaultValue = "forebay-bench",
            description = "Topic; made if there is none (default: ${DEFAULT-VALUE}).")
    String name = "";

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "1",
            description = "Partitions of the topic if it is made (default: ${DEFAULT-VALUE}).")
    int partitions;

    /** The partitions of the topic, which is made if there is none. */
    Collection<TopicPartition> make(BrokerAdmin broker) {
        Optional<TopicDescription> found = broker.findTopic(name);
        if (found.isPresent()) {
            return BrokerAdmin.partitions(found.get());
        }
        broker.await(broker.admin()
                .createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(Map.of())))
                .all());
        return BrokerAdmin.partitions(awaitTopic(broker));
    }

    /** A broker may answer before its metadata has the new topic. */
    private TopicDescription awaitTopic(BrokerAdmin broker) {
        for (int attempt = 0; attempt < 100; attempt++) {
            Optional<TopicDescription> found = broker.findTopic(name);
            if (found.isPresent() && found.get().partitions().size() >= partitions) {
                return found.get();
            }
        }
        throw CommandFailure.failed("topic '" + name + "' was made but does not show up");
    }
}
