package io.forebay.store;

import io.forebay.model.Clock;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Notes in the store that it has passed its probe: {@code probed/WHAT/HOUR}, WHAT being {@link Store#probed} and HOUR whole hours since 1970. Used by one thread, which it blocks.
 *
 * <p>A probe finds a server that breaks a promise before anything rests on it. Servers are replaced under running nodes as well, which never probe again: so a note that is less
 * than a day old tells a start as much as a probe of its own would tell an hour later. Clocks that differ make a probe too many, or a note count for as much longer.
 */
final class ProbeNote {

    private static final String PREFIX = "probed/";
    private static final long HOUR_MS = 3_600_000;
    private static final long GOOD_HOURS = 24;
    private static final long ANSWER_LIMIT_MS = 5_000;
    private static final int LIMIT = 1_000;

    private final Store store;
    private final String prefix;
    private final long hour;

    ProbeNote(Store store, Clock clock) {
        this.store = store;
        this.prefix = PREFIX + store.probed() + "/";
        this.hour = Math.max(0, clock.wallMs()) / HOUR_MS;
    }

    /** Whether one is there that is young enough; false also if the store does not tell. */
    boolean isThere() throws InterruptedException {
        return !store.probed().isEmpty() && listed().stream().anyMatch(this::counts);
    }

    private boolean counts(ObjectStat note) {
        // One of the next hour is that of a clock which is a little ahead.
        return note.key().compareTo(key(Math.max(0, hour - GOOD_HOURS))) > 0
                && note.key().compareTo(key(hour + 1)) <= 0;
    }

    /** Makes one, and removes those that count no more. What fails here costs a later start a probe. */
    void leave(StoreProbe.Timings timings) throws InterruptedException {
        if (store.probed().isEmpty()) {
            return;
        }
        for (ObjectStat old : listed()) {
            if (!counts(old)) {
                try {
                    var unused = store.delete(old.key()).get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
                } catch (ExecutionException | TimeoutException itStays) {
                    return;
                }
            }
        }
        try {
            var unused = store.putIfAbsent(
                            key(hour), ByteBuffer.wrap(timings.toString().getBytes(StandardCharsets.UTF_8)))
                    .get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException nextTime) {
            return;
        }
    }

    private List<ObjectStat> listed() throws InterruptedException {
        try {
            return store.list(prefix, "", LIMIT).get(ANSWER_LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException notTold) {
            return List.of();
        }
    }

    private ObjectKey key(long ofHour) {
        return ObjectKey.of(prefix + ObjectKey.padded(ofHour));
    }
}
