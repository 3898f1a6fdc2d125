package io.forebay.server.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.SystemClock;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.StopRequest;
import io.forebay.server.cli.terminal.Surroundings;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ConsumeLoopTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Surroundings surroundings = new Surroundings(
            Console.of(
                    InputStream.nullInputStream(),
                    new PrintStream(out, false, StandardCharsets.UTF_8),
                    new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8)),
            new SystemClock(),
            stop -> {});
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final StopRequest stop = new StopRequest(surroundings.stopSignal());

    @Test
    void stopsAtTheEndThatWasThereWhenItBegan() {
        consumer.updateEndOffsets(Map.of(P0, 2L, P1, 1L));
        ConsumeLoop loop = loop(false, Optional.empty());
        loop.startAt(Map.of(P0, 0L, P1, 0L));
        add(P0, 0, "a");
        add(P0, 1, "b");
        add(P0, 2, "later");
        add(P1, 0, "c");

        assertThat(loop.run()).isEqualTo(ConsumeLoop.End.AT_END);
        assertThat(printed()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void emptyTopicEndsAtOnce() {
        consumer.updateEndOffsets(Map.of(P0, 0L));
        ConsumeLoop loop = loop(false, Optional.empty());
        loop.startAt(Map.of(P0, 0L));

        assertThat(loop.run()).isEqualTo(ConsumeLoop.End.AT_END);
        assertThat(out.size()).isZero();
    }

    @Test
    void stopsWhenEnoughWerePrinted() {
        consumer.updateEndOffsets(Map.of(P0, 3L));
        ConsumeLoop loop = loop(true, Optional.of(2L));
        loop.startAt(Map.of(P0, 0L));
        add(P0, 0, "a");
        add(P0, 1, "b");
        add(P0, 2, "c");

        assertThat(loop.run()).isEqualTo(ConsumeLoop.End.ENOUGH);
        assertThat(printed()).containsExactly("a", "b");
    }

    @Test
    void groupCommitsExactlyWhatWasPrinted() {
        consumer.updateEndOffsets(Map.of(P0, 3L));
        consumer.updateBeginningOffsets(Map.of(P0, 0L));
        ConsumeLoop loop = loop(false, Optional.of(2L));
        loop.joinGroup("t", List.of(P0));
        consumer.schedulePollTask(() -> {
            consumer.rebalance(List.of(P0));
            add(P0, 0, "a");
            add(P0, 1, "b");
            add(P0, 2, "c");
        });

        assertThat(loop.run()).isEqualTo(ConsumeLoop.End.ENOUGH);
        assertThat(printed()).containsExactly("a", "b");
        assertThat(consumer.committed(java.util.Set.of(P0)).get(P0))
                .extracting(OffsetAndMetadata::offset)
                .isEqualTo(2L);
    }

    @Test
    void saysSoWhenNothingComes() {
        consumer.updateEndOffsets(Map.of(P0, 3L));
        ConsumeLoop loop = loop(false, Optional.empty());
        loop.startAt(Map.of(P0, 0L));

        assertThat(loop.run()).isEqualTo(ConsumeLoop.End.TIMED_OUT);
    }

    @Test
    void stopSignalEndsIt() {
        consumer.updateEndOffsets(Map.of(P0, 3L));
        ConsumeLoop loop = loop(true, Optional.empty());
        loop.startAt(Map.of(P0, 0L));
        add(P0, 0, "a");
        consumer.schedulePollTask(() -> {});
        consumer.schedulePollTask(consumer::wakeup);

        assertThat(loop.run()).isEqualTo(ConsumeLoop.End.STOPPED);
        assertThat(printed()).containsExactly("a");
    }

    private ConsumeLoop loop(boolean follow, Optional<Long> max) {
        return new ConsumeLoop(
                surroundings,
                consumer,
                RecordFormat.of("value", new byte[0]),
                stop,
                new ConsumeLoop.Limits(follow, max, Optional.of(Duration.ofMillis(50))));
    }

    private void add(TopicPartition partition, long offset, String value) {
        consumer.addRecord(new ConsumerRecord<>(
                partition.topic(), partition.partition(), offset, new byte[0], value.getBytes(StandardCharsets.UTF_8)));
    }

    private List<String> printed() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
