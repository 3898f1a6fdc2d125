package io.forebay.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestKeyTest {

    @Test
    void countsInsertionsDeletionsChangesAndSwaps() {
        assertThat(NearestKey.edits("sync", "snyc")).isEqualTo(1);
        assertThat(NearestKey.edits("", "abc")).isEqualTo(3);
        assertThat(NearestKey.edits("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestKey.edits("same", "same")).isZero();
    }

    @Test
    void findsTheNearestOrNothing() {
        List<String> keys = List.of("listen", "advertise", "node.id");

        assertThat(NearestKey.of("listne", keys)).contains("listen");
        assertThat(NearestKey.of("nodeid", keys)).contains("node.id");
        assertThat(NearestKey.of("completely.other", keys)).isEmpty();
    }

    @Test
    void shortWordsHaveToBeNearer() {
        assertThat(NearestKey.ofShort("stop", List.of("store", "topic"))).isEmpty();
        assertThat(NearestKey.ofShort("strat", List.of("store", "start"))).contains("start");
        assertThat(NearestKey.ofShort("--foo", List.of("--to", "--from"))).isEmpty();
    }
}
