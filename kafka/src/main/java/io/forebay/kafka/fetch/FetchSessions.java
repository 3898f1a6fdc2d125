package io.forebay.kafka.fetch;

import io.forebay.kafka.api.ClientConnection;
import io.forebay.model.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All fetch sessions of the process, within a limit.
 *
 * <p>Thread-safe: looking one up takes no lock, making and ending one takes a short one.
 */
public final class FetchSessions {

    /** An older session that was not used for so long makes room for any new one. */
    static final long STALE_MS = 120_000;

    private final int limit;
    private final Clock clock;
    private final RandomGenerator random;
    private final Map<Integer, FetchSession> sessions = new ConcurrentHashMap<>();
    private final Object making = new Object();

    /** @param random used under a lock */
    public FetchSessions(int limit, Clock clock, RandomGenerator random) {
        this.limit = limit;
        this.clock = clock;
        this.random = random;
    }

    /** The session, if it is this connection's; else null. */
    @Nullable
    FetchSession find(int id, ClientConnection connection) {
        FetchSession session = sessions.get(id);
        return session != null && session.belongsTo(connection) ? session : null;
    }

    /** A new session; null if all are in use, so that the client has to name its partitions each time. */
    @Nullable
    FetchSession create(ClientConnection connection, boolean usesTopicIds, Collection<WantedPartition> wanted) {
        long nowMs = clock.wallMs();
        FetchSession session;
        synchronized (making) {
            if (sessions.size() >= limit && !evictFor(wanted.size(), nowMs)) {
                return null;
            }
            session = new FetchSession(newId(), connection, usesTopicIds, wanted, nowMs);
            sessions.put(session.id(), session);
        }
        connection.whenClosed(() -> end(session));
        return session;
    }

    void end(FetchSession session) {
        synchronized (making) {
            sessions.remove(session.id(), session);
        }
    }

    long nowMs() {
        return clock.wallMs();
    }

    int size() {
        return sessions.size();
    }

    // Kafka's rule: first one that nobody uses any more, then a smaller one that has had its time.
    private boolean evictFor(int size, long nowMs) {
        FetchSession smallest = null;
        FetchSession stalest = null;
        for (FetchSession session : sessions.values()) {
            if (stalest == null || session.lastUsedMs() < stalest.lastUsedMs()) {
                stalest = session;
            }
            boolean hadItsTime = nowMs - session.createdMs() > STALE_MS;
            if (hadItsTime && (smallest == null || session.sizeAtLastUse() < smallest.sizeAtLastUse())) {
                smallest = session;
            }
        }
        FetchSession victim = stalest != null && nowMs - stalest.lastUsedMs() > STALE_MS
                ? stalest
                : smallest != null && smallest.sizeAtLastUse() < size ? smallest : null;
        return victim != null && sessions.remove(victim.id(), victim);
    }

    private int newId() {
        while (true) {
            int id = random.nextInt(1, Integer.MAX_VALUE);
            if (!sessions.containsKey(id)) {
                return id;
            }
        }
    }

    /** Sessions by id, for tests. */
    Map<Integer, FetchSession> snapshot() {
        return new HashMap<>(sessions);
    }
}
