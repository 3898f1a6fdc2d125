package io.forebay.bench.machine;

/**
 * CPU time read at one moment. Two of them make a {@link CpuUse}.
 *
 * @param nanos monotonic time of the reading
 * @param server CPU time of the measured server process
 * @param client CPU time of the client process
 * @param machine CPU time of the whole machine
 */
public record CpuSample(long nanos, ProcessTicks server, ProcessTicks client, MachineTicks machine) {
    /** What was used between this reading and a later one. */
    public CpuUse until(CpuSample later) {
        double server = later.server.seconds() - this.server.seconds();
        double client = later.client.seconds() - this.client.seconds();
        double busy = later.machine.busySeconds() - machine.busySeconds();
        return new CpuUse((later.nanos - nanos) / 1e9, server, client, Math.max(0, busy - server - client));
    }
}
