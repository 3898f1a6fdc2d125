package io.forebay.server.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.cli.terminal.CommandFailure;
import java.util.List;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TopicSettingNamesTest {

    @Test
    void refusedNameGetsTheNearestOne() {
        CommandFailure refusal = CommandFailure.failed(
                "the broker refused", new InvalidConfigurationException("Unknown topic config name: retention.mss"));

        assertThat(TopicSettingNames.explain(refusal, List.of("cleanup.policy", "retention.mss")))
                .hasMessage("unknown topic setting 'retention.mss'; did you mean 'retention.ms'?");
    }

    @Test
    void otherRefusalsStayAsTheyAre() {
        CommandFailure badValue = CommandFailure.failed(
                "the broker refused",
                new InvalidConfigurationException("Invalid value 7d for configuration retention.ms"));
        CommandFailure farName = CommandFailure.failed(
                "the broker refused", new InvalidConfigurationException("Unknown topic config name: colour"));
        CommandFailure noAnswer = CommandFailure.failed("no answer", new TimeoutException("retention.mss"));

        assertThat(TopicSettingNames.explain(badValue, List.of("retention.ms"))).isSameAs(badValue);
        assertThat(TopicSettingNames.explain(farName, List.of("colour"))).isSameAs(farName);
        assertThat(TopicSettingNames.explain(noAnswer, List.of("retention.mss")))
                .isSameAs(noAnswer);
    }
}
