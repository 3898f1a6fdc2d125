package io.forebay.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.log.FlushPolicy.Candidate;
import io.forebay.log.FlushPolicy.Choice;
import io.forebay.log.FlushPolicy.Reach;
import io.forebay.log.shard.ShardConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlushPolicyTest {

    /** Flushes at 1,000,000 bytes or 100 frames. */
    private final FlushPolicy policy = new FlushPolicy(new ShardConfig(1_000_000, 100, 8, 1, 1, 0, 0));

    @Test
    void smallBatchesGoWhenEnoughHaveGathered() {
        Candidate few = new Candidate(1, 999_999, 99, false, 0);
        Candidate enough = new Candidate(2, 1_000_000, 99, false, 0);
        Candidate more = new Candidate(3, 1_200_000, 99, false, 0);

        assertThat(indexes(List.of(few, enough, more), 5)).containsExactly(3, 2);
        assertThat(indexes(List.of(few, enough, more), 1)).containsExactly(3);
    }

    @Test
    void largeBatchesStayInTheJournalHoweverManyBytesTheyAre() {
        Candidate large = new Candidate(1, 90L << 20, 90, false, 0);

        assertThat(indexes(List.of(large), 5)).isEmpty();
    }

    @Test
    void tooManyFramesOrAJournalThatCannotShrinkMoveLargeBatchesToo() {
        Candidate many = new Candidate(1, 100L << 20, 100, false, 0);
        Candidate pins = new Candidate(2, 1L << 20, 10, true, 0);

        assertThat(indexes(List.of(many, pins), 5)).containsExactly(2, 1);
    }

    @Test
    void framesOfManyShardsTogetherAreTooMany() {
        List<Candidate> shards = new java.util.ArrayList<>();
        for (int i = 0; i < 30; i++) {
            shards.add(new Candidate(i, 60L << 20, 60, false, 0));
        }

        assertThat(indexes(shards, 2)).hasSize(2);
        assertThat(indexes(shards.subList(0, 20), 2)).isEmpty();
    }

    @Test
    void whatThePastHasLeftOfSmallBatchesMovesOneShardAtATimeWhenNothingElseIsDue() {
        Candidate past = new Candidate(1, 10, 1, false, 1);
        Candidate other = new Candidate(2, 10, 1, false, 2);
        Candidate due = new Candidate(3, 1_000_000, 99, false, 0);

        assertThat(indexes(List.of(past, other), 5)).containsExactly(1);
        assertThat(indexes(List.of(past, other, due), 5)).containsExactly(3);
    }

    @Test
    void largeBatchesOfThePastStayUntilTheyNeedTooManyJournals() {
        Candidate large = new Candidate(1, 60L << 20, 60, false, 4);
        Candidate tooMany = new Candidate(2, 60L << 20, 60, false, 5);
        Candidate trimmed = new Candidate(3, 0, 0, false, 1);

        assertThat(indexes(List.of(large), 5)).isEmpty();
        assertThat(indexes(List.of(large, tooMany), 5)).containsExactly(2);
        assertThat(indexes(List.of(large, trimmed), 5)).containsExactly(3);
    }

    @Test
    void onlyWhatLiesInTheWayMovesForTheJournalsSake() {
        Candidate idle = new Candidate(1, 0, 0, true, 0);
        Candidate large = new Candidate(2, 90L << 20, 90, true, 2);
        Candidate small = new Candidate(3, 1_000_000, 99, true, 0);
        Candidate many = new Candidate(4, 100L << 20, 100, true, 0);

        assertThat(policy.choose(List.of(idle, large, small, many), 5))
                .containsExactly(
                        new Choice(4, Reach.ALL),
                        new Choice(2, Reach.PINNED),
                        new Choice(3, Reach.ALL),
                        new Choice(1, Reach.PINNED));
    }

    @Test
    void ofAShardThatNeedsThePastOnlyThePastMoves() {
        Candidate past = new Candidate(1, 10, 1, false, 1);

        assertThat(policy.choose(List.of(past), 5)).containsExactly(new Choice(1, Reach.PAST));
    }

    private List<Integer> indexes(List<Candidate> candidates, int limit) {
        return policy.choose(candidates, limit).stream().map(Choice::index).toList();
    }
}
