package io.forebay.server.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.model.Clock;
import io.forebay.server.cli.terminal.Console;
import io.forebay.server.cli.terminal.ProgressLine;
import io.forebay.server.cli.terminal.StopRequest;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProduceLoadTest {
    private static final long SECOND = 1_000_000_000L;

    private final HandClock clock = new HandClock();
    private final LoadOptions options = new LoadOptions();

    @Test
    void stallIsCountedForEveryRecordItHeldUp() {
        options.records = Optional.of(11L);
        options.rate = Optional.of(10.0);
        options.recordBytes = 100;
        // The first send takes one second; the ten that were meant for that second then go at once.
        StallingProducer producer = new StallingProducer(clock, SECOND);

        ProduceLoad load = run(producer);

        assertThat(load.sent()).isEqualTo(11);
        assertThat(load.acknowledged().records()).isEqualTo(11);
        assertThat(load.latencies().words()).startsWith("p50 500 ms").contains("max 1000 ms");
    }

    @Test
    void evenSpreadGoesRoundThePartitions() {
        options.records = Optional.of(5L);
        options.spread = LoadOptions.Spread.even;
        options.recordBytes = 1;
        StallingProducer producer = new StallingProducer(clock, 0);

        ProduceLoad unused = run(producer);

        assertThat(producer.history()).extracting(ProducerRecord::partition).containsExactly(0, 1, 2, 0, 1);
    }

    @Test
    void failuresAreCountedAndTheFirstIsKept() {
        options.records = Optional.of(2L);
        options.recordBytes = 1;
        StallingProducer producer = new StallingProducer(clock, 0);
        producer.failures.add(new IllegalStateException("first"));
        producer.failures.add(new IllegalStateException("second"));

        ProduceLoad load = run(producer);

        assertThat(load.failures()).isEqualTo(2);
        assertThat(load.acknowledged().records()).isZero();
        assertThat(load.firstFailure()).map(Throwable::getMessage).contains("first");
    }

    @Test
    void stampsTellTheRunAndTheTime() {
        byte[] value = Payloads.stamped(20, 77).next(123);

        assertThat(Stamp.isOf(value, 77)).isTrue();
        assertThat(Stamp.isOf(value, 78)).isFalse();
        assertThat(Stamp.isOf(new byte[4], 77)).isFalse();
        assertThat(Stamp.intendedNanos(value)).isEqualTo(123);
    }

    private ProduceLoad run(StallingProducer producer) {
        TopicOptions topic = new TopicOptions();
        topic.name = "t";
        ProduceLoad load = new ProduceLoad(options, topic, 3, Payloads.plain(options.recordBytes), clock);
        Console console = Console.of(InputStream.nullInputStream(), System.out, new PrintStream(System.err, true));
        try (StopRequest stop = new StopRequest(signal -> {})) {
            load.run(producer, stop, new ProgressLine(console, clock, 1_000), () -> "");
        }
        return load;
    }

    /** Moves when it is told to. */
    private static final class HandClock implements Clock {
        private long nanos;

        @Override
        public long wallMs() {
            return nanos / 1_000_000;
        }

        @Override
        public long nanos() {
            return nanos;
        }

        void advance(long by) {
            nanos += by;
        }
    }

    /** Acknowledges at once, but the first send takes its time. */
    private static final class StallingProducer extends MockProducer<byte[], byte[]> {
        final Deque<RuntimeException> failures = new ArrayDeque<>();
        private final HandClock clock;
        private long firstSendNanos;

        StallingProducer(HandClock clock, long firstSendNanos) {
            super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
            this.clock = clock;
            this.firstSendNanos = firstSendNanos;
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
            clock.advance(firstSendNanos);
            firstSendNanos = 0;
            Future<RecordMetadata> answer = super.send(record, callback);
            boolean unused = failures.isEmpty() ? completeNext() : errorNext(failures.removeFirst());
            return answer;
        }
    }
}
