package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.testkit.SeededTest;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The rules for several puts at a time, under every order of requests, answers and deletions: nothing acknowledged is lost, nothing that was not there comes back
 * after somebody read where the lane ends, everybody finds the same end, and a writer never believes that it was not fenced when it was.
 */
final class PutLaneModelTest {

    private static final int STEPS = 400;
    private static final int SEEDS = 20_000;

    @SeededTest(fixed = 5_000, fresh = 1_000)
    void theRulesHold(long seed) {
        assertThat(PutLaneModel.run(seed, STEPS, PutLaneModel.Rule.ALL_KEPT)).isEmpty();
    }

    @Test
    void aDeletionThatNothingWitnessesIsFound() {
        assertThat(firstFound(PutLaneModel.Rule.DELETE_WITHOUT_WITNESS)).isPresent();
    }

    @Test
    void aFenceThatHeedsNoWitnessIsFound() {
        assertThat(firstFound(PutLaneModel.Rule.FENCE_WITHOUT_WITNESS)).isPresent();
    }

    @Test
    void aTombstoneThatCameAfterTheListingIsFound() {
        assertThat(firstFound(PutLaneModel.Rule.COUNT_WHAT_CAME_AFTER_THE_LISTING))
                .isPresent();
    }

    @Test
    void aTombstoneThatSaysNothingIsFound() {
        assertThat(firstFound(PutLaneModel.Rule.MUTE_TOMBSTONES)).isPresent();
    }

    @Test
    void anAcknowledgementAboveAMissingFileIsFound() {
        assertThat(firstFound(PutLaneModel.Rule.ACKNOWLEDGE_OUT_OF_ORDER)).isPresent();
    }

    @Test
    void aPutThatIsTakenForAProofIsFound() {
        assertThat(firstFound(PutLaneModel.Rule.EACH_PUT_PROVES)).isPresent();
    }

    private static Optional<String> firstFound(PutLaneModel.Rule broken) {
        SplittableRandom seeds = new SplittableRandom(11);
        return LongStream.generate(seeds::nextLong)
                .limit(SEEDS)
                .mapToObj(seed -> PutLaneModel.run(seed, STEPS, broken))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
