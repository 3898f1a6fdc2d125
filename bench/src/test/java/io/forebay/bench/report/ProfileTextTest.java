package io.forebay.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProfileTextTest {
    @Test
    void countsThreadsOfAPoolTogetherAndRecursionOnce() {
        String text = ProfileText.of(List.of(
                "[io-1 tid=11];run;read;read;copy 30", "[io-2 tid=12];run;write 50", "[timer tid=13];run 20", ""));

        assertThat(text.lines().toList())
                .containsSubsequence(
                        "Threads",
                        " 80.00 %  [io-N]",
                        " 20.00 %  [timer]",
                        "On top of the stack",
                        " 50.00 %  write",
                        " 30.00 %  copy",
                        "Anywhere on the stack",
                        "100.00 %  run",
                        " 30.00 %  read");
    }
}
