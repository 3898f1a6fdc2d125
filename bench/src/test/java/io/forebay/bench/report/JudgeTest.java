package io.forebay.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.forebay.bench.report.Bar.Kind;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JudgeTest {
    private final Samples samples = new Samples();
    private final Judge judge = new Judge(samples);

    @Test
    void takesTheMedianOfTheRoundsRatiosNotTheRatioOfTheMedians() {
        round(0, 10, 5);
        round(1, 2, 4);
        round(2, 4, 2.4);

        Finding finding = judge.find(metric(new Bar(Kind.RATIO_AT_MOST, 0.6)), "os");

        assertThat(finding.ratio().orElseThrow().median()).isEqualTo(0.6, within(1e-9));
        assertThat(finding.ratio().orElseThrow().max()).isEqualTo(2.0, within(1e-9));
        assertThat(finding.values().orElseThrow().median()).isEqualTo(4.0);
        assertThat(finding.verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void comparesOnlyRoundsThatBothHave() {
        samples.add("m", "kafka", 0, 10);
        samples.add("m", "os", 1, 1);

        Finding finding = judge.find(metric(new Bar(Kind.RATIO_AT_LEAST, 1)), "os");

        assertThat(finding.ratio()).isEmpty();
        assertThat(finding.verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void saysSoWhenThereIsNoFigureOrNoBar() {
        assertThat(judge.find(metric(new Bar(Kind.VALUE_AT_MOST, 1)), "os").verdict())
                .isEqualTo(Verdict.NOT_MEASURED);
        assertThat(judge.find(metric(Bar.NONE), "os").verdict()).isEqualTo(Verdict.UNJUDGED);
    }

    @Test
    void judgesValuesByThemselves() {
        samples.add("m", "os", 0, 1.4);

        assertThat(verdict(new Bar(Kind.VALUE_AT_MOST, 1.5))).isEqualTo(Verdict.MET);
        assertThat(verdict(new Bar(Kind.VALUE_AT_MOST, 1.3))).isEqualTo(Verdict.MISSED);
        assertThat(verdict(new Bar(Kind.NEAR_ONE, 0.5))).isEqualTo(Verdict.MET);
        assertThat(verdict(new Bar(Kind.NEAR_ONE, 0.3))).isEqualTo(Verdict.MISSED);
    }

    @Test
    void doesNotJudgeTailLatencyFromTooFewQuietPairs() {
        Metric p99 = new Metric("m", "m", "ms", 2, true, Map.of("os", new Bar(Kind.RATIO_AT_MOST, 1.0)));
        for (int round = 0; round < Judge.QUIET_PAIRS; round++) {
            samples.add(new Sample("m", "kafka", round, 2, round != 3));
            samples.add(new Sample("m", "os", round, 1, true));
        }

        assertThat(judge.find(p99, "os").verdict()).isEqualTo(Verdict.NOISY);
    }

    @Test
    void leavesNoisyPairsOutOfTheJudgement() {
        Metric p99 = new Metric("m", "m", "ms", 2, true, Map.of("os", new Bar(Kind.RATIO_AT_MOST, 1.0)));
        for (int round = 0; round < Judge.QUIET_PAIRS + 8; round++) {
            boolean quiet = round < Judge.QUIET_PAIRS;
            samples.add(new Sample("m", "kafka", round, 2, true));
            samples.add(new Sample("m", "os", round, quiet ? 1.5 : 50, quiet));
        }

        assertThat(judge.find(p99, "os").verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void grantsOneSyncToATargetThatSyncs() {
        round(0, 0.4, 0.49);
        Bar bar = new Bar(Kind.SYNC_RATIO_AT_MOST, 1);

        assertThat(verdict(bar)).isEqualTo(Verdict.MISSED);

        samples.add(Metrics.syncBeside("m"), Metrics.DISK, 0, 0.1);
        assertThat(verdict(bar)).isEqualTo(Verdict.MET);
    }

    @Test
    void blamesTheClientOnlyWhenOneOfItsThreadsHadNoTimeLeft() {
        round(0, 100, 120);
        Bar bar = new Bar(Kind.RATIO_AT_LEAST_OR_CLIENT, 1.5);

        assertThat(verdict(bar)).isEqualTo(Verdict.MISSED);

        samples.add(Metrics.MANY_CLIENT_THREAD, "os", 0, 60);
        assertThat(verdict(bar)).isEqualTo(Verdict.MISSED);

        samples.add(Metrics.MANY_CLIENT_THREAD, "os", 0, 95);
        assertThat(verdict(bar)).isEqualTo(Verdict.CLIENT_LIMIT);
    }

    private Verdict verdict(Bar bar) {
        return judge.find(metric(bar), "os").verdict();
    }

    private static Metric metric(Bar bar) {
        return new Metric("m", "m", "s", 1, false, Map.of("os", bar));
    }

    private void round(int round, double kafka, double os) {
        samples.add("m", "kafka", round, kafka);
        samples.add("m", "os", round, os);
    }
}
