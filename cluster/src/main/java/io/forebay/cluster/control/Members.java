package io.forebay.cluster.control;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.model.Clock;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the controller has heard of each session that goes on, and what that means for it. Owned by the control loop. */
final class Members {

    private final Map<Long, Attendance> all = new TreeMap<>();
    private final Clock clock;
    private final StoreWatch store;

    Members(Clock clock, ControlConfig config) {
        this.clock = clock;
        this.store = new StoreWatch(config.sessionTimeoutNanos(), clock.nanos());
    }

    /** What is known of a session; one that was not heard of before is heard of now. */
    Attendance of(long session) {
        return all.computeIfAbsent(session, s -> new Attendance(clock.nanos()));
    }

    @Nullable
    Attendance find(long session) {
        return all.get(session);
    }

    /** By session. */
    Map<Long, Attendance> all() {
        return all;
    }

    /** Forgets those that are over. */
    void follow(MetadataImage image) {
        all.keySet().removeIf(session -> !image.isLive(session));
    }

    /** Everybody gets a whole time-out: the controller itself stood still. */
    void excuse() {
        all.values().forEach(member -> member.excuse(clock.nanos()));
    }

    /** Who has lost the store while others have it, looked at regularly. */
    StoreWatch store() {
        return store;
    }

    /** Looks who has the store. */
    void lookForStores() {
        store.look(all.values(), clock.nanos());
    }

    /** Sessions that are about to stop. */
    Set<Long> draining() {
        return sessions(Attendance::draining);
    }

    /** Sessions that should get nothing that others could have: those about to stop, and those that could not serve it. */
    Set<Long> unwilling() {
        return sessions(member -> member.draining() || !couldServe(member));
    }

    /** Clients can reach it, and it the store. */
    boolean couldServe(Attendance member) {
        return member.serves() && store.hasStore(member, clock.nanos());
    }

    private Set<Long> sessions(Predicate<Attendance> which) {
        return all.entrySet().stream()
                .filter(member -> which.test(member.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }
}
