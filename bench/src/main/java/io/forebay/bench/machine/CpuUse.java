package io.forebay.bench.machine;

/**
 * CPU time used in a window of time.
 *
 * @param wallSeconds length of the window
 * @param serverSeconds CPU seconds of the measured server
 * @param clientSeconds CPU seconds of the client process
 * @param otherSeconds CPU seconds of everything else: other processes, interrupts, time the hypervisor took
 */
public record CpuUse(double wallSeconds, double serverSeconds, double clientSeconds, double otherSeconds) {
    /** The part of the machine, 0 to 1, that neither server nor client used. */
    public double otherShare(int cpus) {
        return share(otherSeconds, cpus);
    }

    /** The part of the machine, 0 to 1, on which nothing ran. */
    public double idleShare(int cpus) {
        return Math.max(0, 1 - share(serverSeconds + clientSeconds + otherSeconds, cpus));
    }

    private double share(double seconds, int cpus) {
        return wallSeconds <= 0 ? 0 : seconds / (wallSeconds * cpus);
    }
}
