package io.forebay.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.journal.ClosedFile;
import io.forebay.log.journal.JournalPath;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LaneCutTest {

    private final LaneCut cut = new LaneCut(1_000);

    @Test
    void nothingGoesBelowTheLimit() {
        cut.look(files(0, 10), 0);

        assertThat(cut.firstFile()).isZero();
    }

    @Test
    void theOldestGoUntilThreeQuartersOfTheLimitAreLeft() {
        cut.look(files(0, 11), 0);

        assertThat(cut.firstFile()).isEqualTo(4);
    }

    @Test
    void filesThatNobodyNeedsAnyMoreDoNotCount() {
        cut.look(files(0, 14), 4);
        assertThat(cut.firstFile()).isZero();

        cut.look(files(0, 15), 4);
        assertThat(cut.firstFile()).isEqualTo(8);
    }

    @Test
    void aCutStaysUntilNobodyNeedsAnythingBeforeIt() {
        cut.look(files(0, 11), 0);

        cut.look(files(0, 30), 3);
        assertThat(cut.firstFile()).isEqualTo(4);

        cut.look(files(0, 30), 4);
        assertThat(cut.firstFile()).isEqualTo(23);
    }

    @Test
    void withoutShardsNothingIsNeeded() {
        cut.look(files(0, 30), Long.MAX_VALUE);

        assertThat(cut.firstFile()).isZero();
    }

    /** Of 100 bytes each. */
    private static List<ClosedFile> files(long first, long end) {
        JournalPath path = JournalPath.ofSession(1, 0);
        return LongStream.range(first, end)
                .mapToObj(number -> new ClosedFile(number, path.file(number), 100, List.of(1)))
                .toList();
    }
}
