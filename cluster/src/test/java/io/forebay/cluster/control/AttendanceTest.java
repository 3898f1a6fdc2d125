package io.forebay.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.formats.control.Attend;
import org.junit.jupiter.api.Test;

class AttendanceTest {

    private static final long TIMEOUT = 3_000;

    private final Attendance member = new Attendance(0);
    private final Asker asker = new Asker();

    @Test
    void isDeadAfterATimeOutOfSilence() {
        member.heard(100, Attend.getDefaultInstance());

        assertThat(member.isDead(100 + TIMEOUT, TIMEOUT)).isFalse();
        assertThat(member.isDead(101 + TIMEOUT, TIMEOUT)).isTrue();
    }

    @Test
    void isDeadAfterAThirdIfItHasHungUp() {
        member.heard(100, Attend.getDefaultInstance());
        assertThat(member.asksOver(asker)).isTrue();
        assertThat(member.asksOver(asker)).isFalse();
        member.hungUp(asker, 300);

        assertThat(member.isDead(300 + TIMEOUT / 3, TIMEOUT)).isFalse();
        assertThat(member.isDead(301 + TIMEOUT / 3, TIMEOUT)).isTrue();
    }

    @Test
    void livesOnIfItAsksAgain() {
        assertThat(member.asksOver(asker)).isTrue();
        member.hungUp(asker, 300);
        member.heard(320, Attend.getDefaultInstance());

        assertThat(member.isDead(320 + TIMEOUT, TIMEOUT)).isFalse();
    }

    @Test
    void isExcusedWhenTheControllerStoodStill() {
        member.excuse(10_000);

        assertThat(member.isDead(10_000 + TIMEOUT, TIMEOUT)).isFalse();
    }

    @Test
    void hasAThirdAnewWhenTheControllerStoodStill() {
        assertThat(member.asksOver(asker)).isTrue();
        member.hungUp(asker, 300);
        member.excuse(10_000);

        assertThat(member.isDead(10_000 + TIMEOUT / 3, TIMEOUT)).isFalse();
        assertThat(member.isDead(10_001 + TIMEOUT / 3, TIMEOUT)).isTrue();
    }

    @Test
    void doesNotMindTheEndOfAConnectionThatItLeft() {
        assertThat(member.asksOver(asker)).isTrue();
        assertThat(member.asksOver(new Asker())).isTrue();
        member.hungUp(asker, 300);

        assertThat(member.isDead(TIMEOUT, TIMEOUT)).isFalse();
    }
}
