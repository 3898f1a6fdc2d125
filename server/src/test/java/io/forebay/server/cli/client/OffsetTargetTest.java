package io.forebay.server.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OffsetTargetTest {

    @Test
    void readsWordsNumbersAndTimes() {
        assertThat(OffsetTarget.parse("beginning")).contains(OffsetTarget.BEGINNING);
        assertThat(OffsetTarget.parse("earliest")).contains(OffsetTarget.BEGINNING);
        assertThat(OffsetTarget.parse("End")).contains(new OffsetTarget(OffsetTarget.Kind.END, 0));
        assertThat(OffsetTarget.parse("17")).contains(new OffsetTarget(OffsetTarget.Kind.OFFSET, 17));
        assertThat(OffsetTarget.parse("-10")).contains(new OffsetTarget(OffsetTarget.Kind.LAST, 10));
        assertThat(OffsetTarget.parse("@1700000000000"))
                .contains(new OffsetTarget(OffsetTarget.Kind.TIME, 1_700_000_000_000L));
        assertThat(OffsetTarget.parse("2030-01-31T12:00:00Z")).contains(time(Instant.parse("2030-01-31T12:00:00Z")));
        assertThat(OffsetTarget.parse("2030-01-31T12:00:00+02:00"))
                .contains(time(Instant.parse("2030-01-31T10:00:00Z")));
        assertThat(OffsetTarget.parse("2030-01-31"))
                .contains(time(LocalDate.of(2030, 1, 31)
                        .atStartOfDay(ZoneId.systemDefault())
                        .toInstant()));
    }

    @Test
    void knowsWhetherItLiesBeyondTheEndOfEveryPartition() {
        TopicPartition first = new TopicPartition("t", 0);
        TopicPartition second = new TopicPartition("t", 1);
        Map<TopicPartition, Long> ends = Map.of(first, 3L, second, 7L);
        OffsetTarget future = time(Instant.parse("2130-01-31T12:00:00Z"));

        assertThat(new OffsetTarget(OffsetTarget.Kind.OFFSET, 99).beyond(ends, ends))
                .contains(7L);
        assertThat(future.beyond(ends, ends)).contains(7L);
        assertThat(new OffsetTarget(OffsetTarget.Kind.OFFSET, 5).beyond(Map.of(first, 3L, second, 5L), ends))
                .isEmpty();
        assertThat(future.beyond(Map.of(first, 2L, second, 7L), ends)).isEmpty();
        assertThat(new OffsetTarget(OffsetTarget.Kind.END, 0).beyond(ends, ends))
                .isEmpty();
    }

    @Test
    void refusesEverythingElse() {
        for (String text : new String[] {"", "start", "1.5", "@", "12:00", "99999999999999999999"}) {
            assertThat(OffsetTarget.parse(text)).as(text).isEmpty();
        }
    }

    private static OffsetTarget time(Instant instant) {
        return new OffsetTarget(OffsetTarget.Kind.TIME, instant.toEpochMilli());
    }
}
