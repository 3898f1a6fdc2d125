package io.forebay.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.formats.control.Attend;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreWatchTest {

    private static final long MS = 1_000_000;
    private static final long TIMEOUT = 3_000 * MS;

    private final Attendance one = new Attendance(0);
    private final Attendance other = new Attendance(0);
    private final StoreWatch watch = new StoreWatch(TIMEOUT, 0);
    private long now;

    /** Both say how old their proofs are, every 100 ms. */
    private void pass(long ms, boolean oneHasIt, boolean otherHasIt) {
        long end = now + ms * MS;
        while (now < end) {
            now += 100 * MS;
            say(one, oneHasIt);
            say(other, otherHasIt);
            watch.look(List.of(one, other), now);
        }
    }

    private void say(Attendance member, boolean hasIt) {
        long age = hasIt ? 0 : member.unprovenNanos(now) / MS;
        member.heard(now, Attend.newBuilder().setProofAgeMs(age).build());
    }

    private boolean isLost(Attendance member) {
        return watch.isLost(member.unprovenNanos(now), now);
    }

    @Test
    void whoLacksTheStoreForTwoTimeOutsWhileAnotherHasItHasLostIt() {
        pass(5_000, true, true);
        pass(6_000, false, true);
        assertThat(isLost(one)).isFalse();
        assertThat(watch.hasStore(one, now)).isFalse();

        pass(100, false, true);

        assertThat(isLost(one)).isTrue();
        assertThat(isLost(other)).isFalse();
    }

    @Test
    void anOutageForAllIsNobodysLoss() {
        pass(60_000, false, false);

        assertThat(isLost(one)).isFalse();
        assertThat(isLost(other)).isFalse();
    }

    @Test
    void afterAnOutageEverybodyHasAWholeTimeOutToComeBack() {
        pass(60_000, false, false);
        pass(3_000, false, true);
        assertThat(isLost(one)).isFalse();

        pass(200, false, true);

        assertThat(isLost(one)).isTrue();
    }

    @Test
    void aMemberThatIsSilentHasNothingToShow() {
        pass(1_000, true, true);
        long heard = now;
        now = heard + TIMEOUT;
        watch.look(List.of(one, other), now);

        assertThat(watch.hasStore(one, now)).isFalse();
        assertThat(watch.isLost(2 * TIMEOUT + 1, now)).isFalse();
    }

    @Test
    void aSessionThatWasNeverProvenHasNoStore() {
        one.heard(now, Attend.newBuilder().setProofAgeMs(-1).build());

        assertThat(watch.hasStore(one, now)).isFalse();
    }
}
