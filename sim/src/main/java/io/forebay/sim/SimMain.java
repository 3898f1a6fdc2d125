package io.forebay.sim;

import java.io.PrintStream;
import java.security.SecureRandom;

/** {@code bin/sim --minutes N --seed S}: one seed, or fresh ones until the time is up. Ends with 1 at the first broken promise. */
public final class SimMain {

    private static final long CHAOS_MS = 60_000;
    private static final String USAGE = "usage: bin/sim [--minutes N] [--seed S] [--chaos-ms M]";

    private SimMain() {}

    public static void main(String[] args) {
        long minutes = 1;
        long seed = 0;
        long chaosMs = CHAOS_MS;
        boolean oneSeed = false;
        try {
            for (int i = 0; i < args.length; i += 2) {
                long value = Long.parseLong(args[i + 1]);
                switch (args[i]) {
                    case "--minutes" -> minutes = value;
                    case "--chaos-ms" -> chaosMs = value;
                    case "--seed" -> {
                        seed = value;
                        oneSeed = true;
                    }
                    default -> throw new IllegalArgumentException(args[i]);
                }
            }
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
            System.err.println(USAGE);
            System.exit(2);
        }
        System.exit(oneSeed ? runOne(seed, chaosMs, System.out) : runMany(minutes, chaosMs, System.out));
    }

    private static int runMany(long minutes, long chaosMs, PrintStream out) {
        SecureRandom fresh = new SecureRandom();
        long end = System.nanoTime() + minutes * 60_000_000_000L;
        int runs = 0;
        while (System.nanoTime() < end) {
            int exit = runOne(fresh.nextLong() >>> 16, chaosMs, out);
            if (exit != 0) {
                return exit;
            }
            runs++;
        }
        out.println(runs + " seeds, every promise kept");
        return 0;
    }

    private static int runOne(long seed, long chaosMs, PrintStream out) {
        try {
            SeedRun.Outcome outcome = SeedRun.run(seed, chaosMs);
            out.printf(
                    "seed %d: %d steps, %d lives, trace %016x%n",
                    seed, outcome.steps(), outcome.lives(), outcome.traceHash());
            return 0;
        } catch (RuntimeException | AssertionError broken) {
            broken.printStackTrace(out);
            out.println("replay with: bin/sim --seed " + seed + " --chaos-ms " + chaosMs);
            return 1;
        }
    }
}
