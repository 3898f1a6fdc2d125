package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Where a lane ends, for holes, late files and late tombstones in every position. */
final class LaneEndTest {

    private static final JournalPath PATH = JournalPath.ofSession(4, 0);
    private static final Maker WRITER = new Maker(1, 1);
    private static final int LENGTH = 200;
    private static final int PUTS = JournalConfig.MAX_PUTS;

    private final NavigableMap<Long, Optional<JournalHeader>> objects = new TreeMap<>();
    private int reads;

    @Test
    void anEmptyLaneEndsAtItsBeginning() {
        assertThat(end().place()).isZero();
        assertThat(end().ended()).isFalse();
    }

    @Test
    void withoutHolesOneHeaderTellsIt() {
        for (long number = 0; number < 5_000; number++) {
            whole(number, number - 1);
        }

        assertThat(end().place()).isEqualTo(5_000);
        assertThat(reads).isEqualTo(1);
    }

    /** 0 to 20 are acknowledged, then a full window of puts is on its way of which any set may have arrived. */
    @Test
    void holesInEveryPosition() {
        int acknowledged = 20;
        for (int arrived = 0; arrived < 1 << PUTS; arrived += 1 + arrived / 97) {
            objects.clear();
            reads = 0;
            for (long number = 0; number <= acknowledged; number++) {
                whole(number, Math.max(-1, number - 3));
            }
            int firstMissing = acknowledged + 1 + Integer.numberOfTrailingZeros(~arrived);
            for (int i = 0; i < PUTS; i++) {
                if ((arrived >> i & 1) != 0) {
                    whole(acknowledged + 1 + i, acknowledged);
                }
            }
            assertThat(end().place()).isEqualTo(firstMissing);
            assertThat(end().ended()).isFalse();
            assertThat(reads).isLessThanOrEqualTo(2 * (PUTS + 3));

            tombstone(firstMissing);
            assertThat(end().place()).isEqualTo(firstMissing);
            assertThat(end().ended()).isTrue();
            // Late files of the window below and above change nothing, nor does a tombstone for a file that was
            // deleted.
            for (int i = 0; i < PUTS; i++) {
                objects.putIfAbsent(
                        (long) acknowledged + 1 + i, Optional.of(header(acknowledged + 1L + i, acknowledged)));
            }
            for (int gone = 0; gone < 10; gone++) {
                objects.remove((long) gone);
            }
            tombstone(7);
            assertThat(end().place()).isEqualTo(firstMissing);
            assertThat(end().ended()).isTrue();
        }
    }

    @Test
    void aTombstoneOfWhichAFileAboveSaysThatItWasWrittenIsLate() {
        tombstone(7);
        whole(8, 4);
        whole(9, 7);

        assertThat(end().place()).isEqualTo(10);
        assertThat(end().ended()).isFalse();
    }

    @Test
    void aTombstoneInAHoleCounts() {
        whole(6, 4);
        tombstone(7);
        whole(8, 6);
        whole(9, 6);

        assertThat(end().place()).isEqualTo(7);
        assertThat(end().ended()).isTrue();
    }

    @Test
    void aTombstoneThatIsLeftAloneStaysTheEnd() {
        tombstone(7);

        assertThat(end().place()).isEqualTo(7);
        assertThat(end().ended()).isTrue();

        whole(3, 2);
        tombstone(0);
        whole(9, 6);
        assertThat(end().place()).isEqualTo(7);
        assertThat(end().ended()).isTrue();
    }

    @Test
    void aDuplicateOfADeletedFileDoesNotDrawTheFenceDown() {
        whole(3, 2);
        whole(101, 100);
        whole(102, 100);

        assertThat(end().place()).isEqualTo(103);
    }

    @Test
    void appendedAndTornFilesSayThatAllBelowWasThere() {
        appended(1);
        tombstone(2);
        objects.put(3L, Optional.empty());

        assertThat(end().place()).isEqualTo(4);
        assertThat(end().ended()).isFalse();
        tombstone(4);
        assertThat(end().ended()).isTrue();
    }

    private void whole(long number, long acknowledged) {
        objects.put(number, Optional.of(header(number, acknowledged)));
    }

    private static JournalHeader header(long number, long acknowledged) {
        return JournalHeader.whole(PATH, number, acknowledged, LENGTH, WRITER, 0);
    }

    private void appended(long number) {
        objects.put(
                number,
                Optional.of(new JournalHeader(
                        JournalHeader.Kind.DATA, 0, PATH.session(), number, JournalHeader.NO_PREVIOUS, 0, WRITER, 0)));
    }

    private void tombstone(long number) {
        objects.put(number, Optional.of(JournalHeader.tombstone(PATH, number, new Maker(2, 2), 0)));
    }

    private LaneEnd end() {
        LaneEnd end = new LaneEnd(objects.navigableKeySet());
        for (List<Long> wanted = end.toRead(); !wanted.isEmpty(); wanted = end.toRead()) {
            for (long number : new ArrayList<>(wanted)) {
                reads++;
                end.found(number, Objects.requireNonNull(objects.get(number)));
            }
        }
        return end;
    }
}
