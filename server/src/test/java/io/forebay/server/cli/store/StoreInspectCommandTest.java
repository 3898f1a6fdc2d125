package io.forebay.server.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StoreInspectCommandTest {

    @Test
    void ownersAreToldInWords() {
        assertThat(StoreInspectCommand.state(false, 3, Set.of(1L, 2L))).isEqualTo("owned by session 3");
        assertThat(StoreInspectCommand.state(false, 2, Set.of(1L, 2L)))
                .isEqualTo("owned by session 2, which has ended");
        assertThat(StoreInspectCommand.state(true, 2, Set.of(2L))).isEqualTo("released by session 2");
    }

    @Test
    void sessionHasEndedWhenAllItsLanesHave() {
        assertThat(StoreReading.endedSessions(
                        List.of(lane(1, 0, true), lane(1, 1, true), lane(2, 0, true), lane(2, 1, false))))
                .containsExactly(1L);
    }

    private static StoreReading.Lane lane(long session, int number, boolean ended) {
        return new StoreReading.Lane("journal/" + session, session, number, new StoreReading.Sum(1, 10), 0, 0, ended);
    }
}
