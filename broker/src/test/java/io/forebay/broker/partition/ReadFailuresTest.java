package io.forebay.broker.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.partition.CorruptRangeException;
import io.forebay.model.Clock;
import io.forebay.store.StoreException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReadFailuresTest {

    private long nowNs;

    private final ReadFailures failures = new ReadFailures(new Clock() {
        @Override
        public long wallMs() {
            return 0;
        }

        @Override
        public long nanos() {
            return nowNs;
        }
    });

    private static CorruptRangeException damage(long position) {
        return new CorruptRangeException("shard/1/7", position, 3, 10, 20, "a bad checksum");
    }

    @Test
    void aDamagedRangeIsToldOnceAMinuteWithTheNumberOfThoseBetween() {
        assertThat(failures.failed(damage(100))).isEqualTo(OptionalLong.of(0));
        nowNs = 59_999_999_999L;
        for (int i = 0; i < 500; i++) {
            assertThat(failures.failed(damage(100))).isEmpty();
        }
        nowNs = 60_000_000_000L;

        assertThat(failures.failed(damage(100))).isEqualTo(OptionalLong.of(500));
        assertThat(failures.failed(damage(100))).isEmpty();
    }

    @Test
    void anotherRangeIsAnotherLine() {
        assertThat(failures.failed(damage(100))).isPresent();

        assertThat(failures.failed(damage(200))).isPresent();
        assertThat(failures.failed(damage(100))).isEmpty();
    }

    @Test
    void theSameReasonIsToldOnceForAllPartitions() {
        StoreException full = new StoreException(StoreException.Kind.UNAVAILABLE, "all memory is in use");

        assertThat(failures.failed(full)).isPresent();
        assertThat(failures.failed(new StoreException(StoreException.Kind.UNAVAILABLE, "all memory is in use")))
                .isEmpty();
    }

    @Test
    void reasonsBeyondTheLimitAreForgotten() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(failures.failed(damage(i))).isPresent();
        }

        assertThat(failures.failed(damage(4_999))).isEmpty();
        assertThat(failures.failed(damage(0))).isPresent();
    }
}
