package io.forebay.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LineTest {
    @Test
    void comesBackAsItWasWritten() {
        Line line = Line.of("failed")
                .with("reason", "a = b\nand 100 % more, naïve")
                .with("records", 12L)
                .with("wall", 0.25);

        Line read = Line.parse(line.format());

        assertThat(line.format()).doesNotContain("\n");
        assertThat(read).isEqualTo(line);
        assertThat(read.number("records")).isEqualTo(12);
        assertThat(read.decimal("wall")).isEqualTo(0.25);
    }

    @Test
    void namesTheValueThatIsMissing() {
        assertThatThrownBy(() -> Line.of("produce").text("topic")).hasMessage("produce: no topic");
        assertThatThrownBy(() -> Line.parse("produce topic")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLaterValueReplacesAnEarlierOne() {
        assertThat(Line.of("paced").with("tail", false).with("tail", true))
                .isEqualTo(new Line("paced", Map.of("tail", "true")));
    }
}
