package io.forebay.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void takesTheMiddleOfAnOddCount() {
        assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9, 3));
    }

    @Test
    void takesTheMeanOfTheTwoInTheMiddleOfAnEvenCount() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(new Spread(3, 1, 100, 4));
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
