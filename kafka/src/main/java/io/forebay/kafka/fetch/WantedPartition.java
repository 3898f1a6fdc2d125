package io.forebay.kafka.fetch;

import io.forebay.broker.fetch.FetchedPartition;
import io.forebay.broker.fetch.PartitionFetch;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.kafka.api.Ids;
import io.forebay.kafka.api.Leaders;
import java.util.UUID;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What a client wants of one partition, and what it was last told about it. Owned by the loop of its connection.
 *
 * <p>The broker's question is made once and kept until the client asks for something else, since a session asks the same of most
 * of its partitions again and again.
 */
final class WantedPartition {

    private static final long NEVER_TOLD = -1;

    /**
     * Which partition: by name, or by id if the request's version has ids.
     *
     * @param name empty with an id
     */
    record Key(String name, UUID id, int index) {

        @Override
        public int hashCode() {
            return 31 * (name.hashCode() ^ id.hashCode()) + index;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && index == key.index && id.equals(key.id) && name.equals(key.name);
        }
    }

    private final Key key;
    private long fetchOffset;
    private int maxBytes;
    private int currentLeaderEpoch;
    private int lastFetchedEpoch;
    private @Nullable PartitionFetch question;
    private long toldHighWatermark = NEVER_TOLD;
    private long toldLogStartOffset = NEVER_TOLD;

    WantedPartition(Key key, FetchPartition wanted) {
        this.key = key;
        want(wanted);
    }

    Key key() {
        return key;
    }

    /** Takes over what the client asks for now. */
    void want(FetchPartition wanted) {
        fetchOffset = wanted.fetchOffset();
        maxBytes = wanted.partitionMaxBytes();
        currentLeaderEpoch = wanted.currentLeaderEpoch();
        lastFetchedEpoch = wanted.lastFetchedEpoch();
        question = null;
    }

    /**
     * What to ask the broker; null if there is no such partition: {@link #errorIfUnknown}.
     *
     * @param rack of the client; empty if it did not say
     */
    @Nullable
    PartitionFetch question(ClusterImage image, String rack) {
        TopicImage topic = topic(image);
        if (topic == null || key.index < 0 || key.index >= topic.partitions().size()) {
            return null;
        }
        PartitionFetch asked = question;
        int reader = rack.isEmpty()
                ? PartitionFetch.NO_READER
                : Leaders.reader(image, topic.partitions().get(key.index), rack);
        if (asked == null || !asked.topicId().equals(topic.id()) || asked.reader() != reader) {
            asked = new PartitionFetch(
                    topic.id(), key.index, fetchOffset, maxBytes, currentLeaderEpoch, lastFetchedEpoch, reader);
            question = asked;
        }
        return asked;
    }

    /** What is wrong if there is no such partition. */
    Errors errorIfUnknown(ClusterImage image) {
        return topic(image) == null && !key.id.equals(Ids.NONE)
                ? Errors.UNKNOWN_TOPIC_ID
                : Errors.UNKNOWN_TOPIC_OR_PARTITION;
    }

    @Nullable
    TopicImage topic(ClusterImage image) {
        return key.id.equals(Ids.NONE) ? image.topic(key.name) : image.topic(key.id);
    }

    /** Whether a session has to mention this result, and remembers what is told. */
    boolean isNews(FetchedPartition result) {
        boolean failed = result.error() != Errors.NONE;
        boolean news = failed
                || result.records().sizeBytes() > 0
                || result.highWatermark() != toldHighWatermark
                || result.logStartOffset() != toldLogStartOffset
                || result.divergingEpoch() >= 0
                || result.reader() >= 0;
        // After an error the next good result is news, whatever it says.
        toldHighWatermark = failed ? NEVER_TOLD : result.highWatermark();
        toldLogStartOffset = result.logStartOffset();
        return news;
    }
}
