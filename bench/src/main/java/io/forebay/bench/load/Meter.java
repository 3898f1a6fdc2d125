package io.forebay.bench.load;

import io.forebay.bench.machine.CpuSample;
import io.forebay.bench.machine.CpuUse;
import io.forebay.bench.machine.ProcFiles;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * CPU time around one load. Used by the thread that runs the load.
 *
 * <p>A server may put work off until a load is over (flushing, merging, deleting). So after the last acknowledgement
 * the meter waits until the server is quiet, and charges that to the load as well.
 */
final class Meter {
    private static final long SETTLE_STEP_MS = 500;
    private static final int SETTLE_STEPS = 30;
    /** A server counts as quiet when it uses less than this part of a core in two steps in a row. */
    private static final double QUIET_SHARE = 0.05;

    private final ProcFiles proc = new ProcFiles();
    private final long server;
    private final CpuSample start;
    private final long senderStart;
    private final long makerStart;

    private Meter(long server) {
        this.server = server;
        senderStart = senderNanos();
        makerStart = makerNanos();
        start = sample();
    }

    /** Starts to count. */
    static Meter start(Line request) {
        return new Meter(request.number("server"));
    }

    /**
     * Ends the window and adds what it used to an answer: {@code wall}, {@code server}, {@code client} and {@code
     * other} seconds of the load itself; {@code sender} and {@code maker}, CPU seconds of the client's network threads and
     * of the calling thread; {@code settled}, server seconds until it was quiet again.
     */
    Line stop(Line answer) {
        CpuUse use = start.until(sample());
        double sender = (senderNanos() - senderStart) / 1e9;
        double maker = (makerNanos() - makerStart) / 1e9;
        return answer.with("wall", use.wallSeconds())
                .with("server", use.serverSeconds())
                .with("client", use.clientSeconds())
                .with("other", use.otherSeconds())
                .with("sender", sender)
                .with("maker", maker)
                .with("settled", settle());
    }

    private double settle() {
        CpuSample last = sample();
        int quietSteps = 0;
        for (int i = 0; i < SETTLE_STEPS && quietSteps < 2; i++) {
            pause(SETTLE_STEP_MS);
            CpuSample now = sample();
            CpuUse step = last.until(now);
            quietSteps = step.serverSeconds() < QUIET_SHARE * step.wallSeconds() ? quietSteps + 1 : 0;
            last = now;
        }
        return start.until(last).serverSeconds();
    }

    private CpuSample sample() {
        return proc.sample(server, ProcessHandle.current().pid());
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted in a load", e);
        }
    }

    private static long makerNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long senderNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (var thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith("kafka-producer-network-thread")) {
                nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return nanos;
    }
}
