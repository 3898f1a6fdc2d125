package io.forebay.broker.partition;

import io.forebay.log.partition.CorruptRangeException;
import io.forebay.model.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Which failed reads are worth a line in the log: a reader that cannot get past its damaged record asks again many times a second, and would
 * fill the log's disk. Each damaged range, and each other reason, has one line a minute; the next says how many had none. Thread-safe.
 */
public final class ReadFailures {

    private static final long EVERY_NS = 60_000_000_000L;
    /** Reasons remembered; beyond them the oldest is forgotten, and may be told again too early. */
    private static final int KNOWN_MAX = 1_000;

    private final Clock clock;
    private final Map<String, Told> known = new LinkedHashMap<>();

    private static final class Told {
        private final long atNs;
        private long since;

        Told(long atNs) {
            this.atNs = atNs;
        }
    }

    public ReadFailures(Clock clock) {
        this.clock = clock;
    }

    /** Counts a failure. Present if it is to be told: how many of its kind were not, since the last that was. */
    synchronized OptionalLong failed(Throwable cause) {
        String reason = reason(cause);
        Told last = known.get(reason);
        if (last != null && clock.nanos() - last.atNs < EVERY_NS) {
            last.since++;
            return OptionalLong.empty();
        }
        known.remove(reason);
        if (known.size() >= KNOWN_MAX) {
            known.remove(known.keySet().iterator().next());
        }
        known.put(reason, new Told(clock.nanos()));
        return OptionalLong.of(last == null ? 0 : last.since);
    }

    private static String reason(Throwable cause) {
        return cause instanceof CorruptRangeException corrupt
                ? corrupt.object() + "@" + corrupt.position() + "/" + corrupt.partitionId()
                : cause.toString();
    }
}
