package io.forebay.server.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {

    @Test
    void writesEveryKindOfValue() {
        assertThat(Json.text(Json.object(
                        "text",
                        "a",
                        "number",
                        1,
                        "ratio",
                        0.5,
                        "yes",
                        true,
                        "none",
                        Optional.empty(),
                        "some",
                        Optional.of(7L),
                        "list",
                        List.of(1, "b"),
                        "empty",
                        List.of(),
                        "object",
                        Map.of())))
                .isEqualTo("{\"text\":\"a\",\"number\":1,\"ratio\":0.5,\"yes\":true,\"none\":null,\"some\":7,"
                        + "\"list\":[1,\"b\"],\"empty\":[],\"object\":{}}");
    }

    @Test
    void numbersThatJsonDoesNotKnowBecomeNull() {
        assertThat(Json.text(List.of(Double.NaN, Double.POSITIVE_INFINITY))).isEqualTo("[null,null]");
    }

    @Test
    void escapesWhatMustNotStandInAText() {
        assertThat(Json.text("a\"b\\c\nd\te\u0001f")).isEqualTo("\"a\\\"b\\\\c\\nd\\te\\u0001f\"");
        assertThat(Json.text("grüße 🌊")).isEqualTo("\"grüße 🌊\"");
        assertThat(Json.text("lone \ud83c")).isEqualTo("\"lone \\ud83c\"");
    }
}
