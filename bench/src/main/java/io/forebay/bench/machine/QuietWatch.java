package io.forebay.bench.machine;

/**
 * Whether processes that are not ours left the machine alone since a moment. Used by one thread.
 *
 * <p>What a process of ours used in the instant of its death may be missed and then counts as others': a figure is rather called noisy than quiet.
 */
public final class QuietWatch {
    private static final double QUIET_SHARE = 0.10;

    private final ProcFiles proc = new ProcFiles();
    private final long startNanos = System.nanoTime();
    private final double ours = FamilyTicks.seconds();
    private final double all = proc.machine().busySeconds();

    /** The part of the machine, 0 to 1, that others have used since this watch was made. */
    public double othersShare() {
        double others = proc.machine().busySeconds() - all - (FamilyTicks.seconds() - ours);
        double wall = (System.nanoTime() - startNanos) / 1e9;
        return Math.max(0, others) / (wall * Runtime.getRuntime().availableProcessors());
    }

    /** Whether that was less than a tenth. */
    public boolean quiet() {
        return othersShare() < QUIET_SHARE;
    }
}
