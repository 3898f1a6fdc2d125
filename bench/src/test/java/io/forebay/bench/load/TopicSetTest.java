package io.forebay.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TopicSetTest {
    @Test
    void dividesManyPartitionsIntoTopics() {
        TopicSet set = TopicSet.ofPartitions("many", 2048);

        assertThat(set).isEqualTo(new TopicSet("many", 32, 64));
        assertThat(new HashSet<>(set.all())).hasSize(2048);
        assertThat(set.all().get(0)).isEqualTo(new TopicPartition("many-0", 0));
        assertThat(set.all().get(33)).isEqualTo(new TopicPartition("many-1", 1));
    }

    @Test
    void fewPartitionsAreOneTopicOfThatName() {
        assertThat(TopicSet.ofPartitions("few", 16).names()).containsExactly("few");
    }

    @Test
    void refusesCountsThatDoNotDivide() {
        assertThatThrownBy(() -> TopicSet.ofPartitions("odd", 100)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void travelsInALine() {
        TopicSet set = new TopicSet("t", 3, 5);

        assertThat(TopicSet.of(Line.parse(set.addTo(Line.of("create")).format())))
                .isEqualTo(set);
    }
}
