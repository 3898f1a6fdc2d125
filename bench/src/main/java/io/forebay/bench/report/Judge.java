package io.forebay.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoublePredicate;

/** Compares the figures of a target with Kafka's and with the bars. Pure. */
public final class Judge {
    /** The target that others are compared with. */
    public static final String BASELINE = "kafka";
    /** A quiet-only metric needs so many rounds that were quiet for both sides. */
    public static final int QUIET_PAIRS = 6;

    /** Part of a core, in percent, from which on a client thread counts as having no time left. */
    private static final double BUSY_THREAD_PERCENT = 85;

    private final Samples samples;

    public Judge(Samples samples) {
        this.samples = samples;
    }

    /** Everything about one metric of one target. */
    public Finding find(Metric metric, String target) {
        Map<Integer, Sample> own = samples.of(metric.id(), target);
        if (own.isEmpty()) {
            Verdict verdict = metric.bar(target).kind() == Bar.Kind.NONE ? Verdict.UNJUDGED : Verdict.NOT_MEASURED;
            return new Finding(Optional.empty(), Optional.empty(), verdict);
        }
        Spread values = Spread.of(own.values().stream().map(Sample::value).toList());
        Optional<Spread> ratio = target.equals(BASELINE) ? Optional.empty() : ratios(metric, target, false, 0);
        return new Finding(Optional.of(values), ratio, verdict(metric, target, values));
    }

    private Verdict verdict(Metric metric, String target, Spread values) {
        Bar bar = metric.bar(target);
        double limit = bar.limit();
        return switch (bar.kind()) {
            case NONE -> Verdict.UNJUDGED;
            case VALUE_AT_MOST -> value(metric, target, values, median -> median <= limit);
            case VALUE_AT_LEAST -> value(metric, target, values, median -> median >= limit);
            case NEAR_ONE -> met(Math.abs(values.median() - 1) <= limit);
            case RATIO_AT_MOST -> ratioAtMost(metric, target, limit, 0);
            case SYNC_RATIO_AT_MOST -> ratioAtMost(metric, target, limit, syncMillis(metric));
            case RATIO_AT_LEAST -> ratioAtLeast(metric, target, limit);
            case RATIO_AT_LEAST_OR_CLIENT -> {
                Verdict plain = ratioAtLeast(metric, target, limit);
                yield plain == Verdict.MISSED && clientIsTheLimit(target) ? Verdict.CLIENT_LIMIT : plain;
            }
        };
    }

    /** The median of all rounds, or of the quiet ones where only these count. */
    private Verdict value(Metric metric, String target, Spread values, DoublePredicate enough) {
        if (!metric.quietOnly()) {
            return met(enough.test(values.median()));
        }
        List<Double> quiet = samples.of(metric.id(), target).values().stream()
                .filter(Sample::quiet)
                .map(Sample::value)
                .toList();
        return quiet.isEmpty()
                ? Verdict.NOISY
                : met(enough.test(Spread.of(quiet).median()));
    }

    private Verdict ratioAtMost(Metric metric, String target, double limit, double grace) {
        if (samples.of(metric.id(), BASELINE).isEmpty()) {
            return Verdict.NOT_MEASURED;
        }
        Optional<Spread> ratio = ratios(metric, target, metric.quietOnly(), grace);
        if (metric.quietOnly() && ratio.map(Spread::count).orElse(0) < QUIET_PAIRS) {
            return Verdict.NOISY;
        }
        return ratio.map(spread -> met(spread.median() <= limit)).orElse(Verdict.NOT_MEASURED);
    }

    private Verdict ratioAtLeast(Metric metric, String target, double limit) {
        return ratios(metric, target, metric.quietOnly(), 0)
                .map(spread -> met(spread.median() >= limit))
                .orElse(Verdict.NOT_MEASURED);
    }

    /** Figures over Kafka's plus a grace, of the rounds that both have; none when there is no such round. */
    private Optional<Spread> ratios(Metric metric, String target, boolean quietOnly, double grace) {
        Map<Integer, Sample> own = samples.of(metric.id(), target);
        Map<Integer, Sample> base = samples.of(metric.id(), BASELINE);
        List<Double> ratios = new ArrayList<>();
        own.forEach((round, sample) -> {
            Sample other = base.get(round);
            if (other != null && other.value() + grace > 0 && (!quietOnly || (sample.quiet() && other.quiet()))) {
                ratios.add(sample.value() / (other.value() + grace));
            }
        });
        return ratios.isEmpty() ? Optional.empty() : Optional.of(Spread.of(ratios));
    }

    private boolean clientIsTheLimit(String target) {
        Map<Integer, Sample> busiest = samples.of(Metrics.MANY_CLIENT_THREAD, target);
        return !busiest.isEmpty()
                && Spread.of(busiest.values().stream().map(Sample::value).toList())
                                .median()
                        >= BUSY_THREAD_PERCENT;
    }

    /** The same percentile of one sync at the pace of the load. */
    private double syncMillis(Metric metric) {
        Map<Integer, Sample> syncs = samples.of(Metrics.syncBeside(metric.id()), Metrics.DISK);
        return syncs.isEmpty()
                ? 0
                : Spread.of(syncs.values().stream().map(Sample::value).toList()).median();
    }

    private static Verdict met(boolean yes) {
        return yes ? Verdict.MET : Verdict.MISSED;
    }
}
