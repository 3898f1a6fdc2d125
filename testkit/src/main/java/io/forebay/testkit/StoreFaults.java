package io.forebay.testkit;

import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How often a {@link FaultyStore} does what, and how long it takes.
 *
 * @param probabilities of each fault per request, 0 to 1; missing: never
 * @param minDelayMicros of one step: to the store, within it, or back
 * @param maxDelayMicros of one step
 * @param slowMaxMs the longest {@link StoreFault#SLOW} step
 * @param timeoutMs after which a caller stops waiting
 * @param lateMaxMs the longest time after which a {@link StoreFault#TIMEOUT_LATER} request takes effect
 */
public record StoreFaults(
        Map<StoreFault, Double> probabilities,
        long minDelayMicros,
        long maxDelayMicros,
        long slowMaxMs,
        long timeoutMs,
        long lateMaxMs) {

    /** A healthy store with ordinary delays. */
    public static final StoreFaults NONE = new StoreFaults(Map.of(), 20, 2_000, 2_000, 5_000, 60_000);

    public StoreFaults {
        probabilities = Map.copyOf(probabilities);
        if (minDelayMicros < 0 || maxDelayMicros < minDelayMicros || slowMaxMs < 1 || timeoutMs < 1 || lateMaxMs < 1) {
            throw new IllegalArgumentException("delays are positive and min <= max");
        }
    }

    /** The same with one fault as likely as given. */
    public StoreFaults with(StoreFault fault, double probability) {
        Map<StoreFault, Double> changed = new EnumMap<>(StoreFault.class);
        changed.putAll(probabilities);
        changed.put(fault, probability);
        return new StoreFaults(changed, minDelayMicros, maxDelayMicros, slowMaxMs, timeoutMs, lateMaxMs);
    }

    /** The same with other delays. */
    public StoreFaults withDelaysMicros(long min, long max) {
        return new StoreFaults(probabilities, min, max, slowMaxMs, timeoutMs, lateMaxMs);
    }

    /** A random subset of the faults, each with a random likelihood up to {@code most}: swarm testing. */
    public static StoreFaults swarm(RandomGenerator chance, double most) {
        Map<StoreFault, Double> drawn = new EnumMap<>(StoreFault.class);
        for (StoreFault fault : StoreFault.values()) {
            if (chance.nextBoolean()) {
                drawn.put(fault, chance.nextDouble() * most);
            }
        }
        return new StoreFaults(
                drawn,
                NONE.minDelayMicros,
                NONE.minDelayMicros + chance.nextLong(20_000),
                1 + chance.nextLong(10_000),
                500 + chance.nextLong(10_000),
                1 + chance.nextLong(120_000));
    }
}
