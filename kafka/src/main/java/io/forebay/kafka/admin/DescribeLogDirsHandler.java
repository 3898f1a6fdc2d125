package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.StoreVolume;
import io.forebay.broker.partition.PartitionSize;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.DescribeLogDirsRequestData;
import org.apache.kafka.common.message.DescribeLogDirsRequestData.DescribableLogDirTopic;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;

/** Tells the sizes of partitions and of the one "directory" there is, the shared store: of its volume, where it lies on one. */
public final class DescribeLogDirsHandler implements ApiHandler<DescribeLogDirsRequestData> {

    private static final String STORE = "/store";

    private final Broker broker;

    public DescribeLogDirsHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_LOG_DIRS;
    }

    @Override
    public DescribeLogDirsRequestData read(Readable body, short version) {
        return new DescribeLogDirsRequestData(body, version);
    }

    @Override
    public void handle(DescribeLogDirsRequestData request, Exchange exchange) {
        exchange.answerWhen(
                broker.sizes().thenCombine(broker.volume(), (sizes, volume) -> response(request, sizes, volume)));
    }

    private DescribeLogDirsResponseData response(
            DescribeLogDirsRequestData request, List<PartitionSize> sizes, StoreVolume volume) {
        Map<String, Set<Integer>> asked = new HashMap<>();
        boolean all = request.topics() == null;
        if (!all) {
            for (DescribableLogDirTopic topic : request.topics()) {
                asked.computeIfAbsent(topic.topic(), name -> new HashSet<>()).addAll(topic.partitions());
            }
        }
        Map<String, DescribeLogDirsTopic> topics = new HashMap<>();
        for (PartitionSize size : sizes) {
            TopicImage topic = broker.image().topic(size.topicId());
            if (topic == null
                    || !(all || asked.getOrDefault(topic.name(), Set.of()).contains(size.index()))) {
                continue;
            }
            topics.computeIfAbsent(topic.name(), name -> new DescribeLogDirsTopic().setName(name))
                    .partitions()
                    .add(new DescribeLogDirsPartition()
                            .setPartitionIndex(size.index())
                            .setPartitionSize(size.sizeBytes()));
        }
        DescribeLogDirsResult store = new DescribeLogDirsResult()
                .setLogDir(STORE)
                .setTopics(List.copyOf(topics.values()))
                .setTotalBytes(volume.totalBytes())
                .setUsableBytes(volume.usableBytes());
        DescribeLogDirsResponseData response = new DescribeLogDirsResponseData();
        response.results().add(store);
        return response;
    }
}
