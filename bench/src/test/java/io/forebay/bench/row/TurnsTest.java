package io.forebay.bench.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
    @Test
    void everybodyBeginsOnce() {
        List<String> all = List.of("kafka", "os", "always");

        assertThat(Turns.of(all, 0)).containsExactly("kafka", "os", "always");
        assertThat(Turns.of(all, 1)).containsExactly("os", "always", "kafka");
        assertThat(Turns.of(all, 2)).containsExactly("always", "kafka", "os");
        assertThat(Turns.of(all, 3)).isEqualTo(all);
    }
}
