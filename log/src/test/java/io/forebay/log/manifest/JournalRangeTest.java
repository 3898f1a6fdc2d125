package io.forebay.log.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.journal.JournalPosition;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JournalRangeTest {

    private final JournalRange open = new JournalRange(1, 0, 1, at(3, 500), Optional.empty());
    private final JournalRange ended = open.endedAt(at(5, 100));

    @Test
    void aRangeBeginsLaterAndNeverEarlier() {
        assertThat(open.behind(at(4, 0)).orElseThrow().from()).isEqualTo(at(4, 0));
        assertThat(open.behind(at(3, 0))).contains(open);
        assertThat(ended.behind(at(5, 0))).contains(new JournalRange(1, 0, 1, at(5, 0), Optional.of(at(5, 100))));
    }

    @Test
    void nothingIsLeftOfARangeThatEndsBefore() {
        assertThat(ended.behind(at(5, 100))).isEmpty();
        assertThat(ended.behind(at(6, 0))).isEmpty();
    }

    private static JournalPosition at(long file, int position) {
        return new JournalPosition(file, position);
    }
}
