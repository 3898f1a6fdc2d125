package io.forebay.kafka.net;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The connections of one loop, and a coarse clock for their idleness: requests and answers cost no look at the time. Owned by the loop.
 */
final class LoopConnections {

    /** Most of the longest idle time that one tick may be: so much later than wished a connection may be closed. */
    private static final int TICKS = 16;

    private static final long LONGEST_TICK_MS = 1_000;

    /** Ticks without {@linkplain FramePace enough} bytes after which a request that was begun counts as stalled. */
    private static final int STALLED_TICKS = 5;

    private final Loop loop;
    private final Clock clock;
    private final long tickMs;
    private final int idleTicks;
    private final Set<Connection> connections = Collections.newSetFromMap(new IdentityHashMap<>());
    private final UnsentFiles unsent;
    private int now;
    private boolean stopped;

    LoopConnections(Loop loop, Clock clock, long maxIdleMs) {
        this.loop = loop;
        this.clock = clock;
        this.unsent = new UnsentFiles(clock);
        this.tickMs = Math.max(1, Math.min(LONGEST_TICK_MS, maxIdleMs / TICKS));
        this.idleTicks = Math.toIntExact(Math.min(Integer.MAX_VALUE, (maxIdleMs + tickMs - 1) / tickMs));
    }

    Loop loop() {
        return loop;
    }

    /** For what needs the time more finely than in ticks. */
    Clock clock() {
        return clock;
    }

    /** What could not be sent from files. */
    UnsentFiles unsent() {
        return unsent;
    }

    /** Begins to look for idle connections. Any thread. */
    void start() {
        Loop.Cancellable unused = loop.schedule(this::tick, tickMs);
    }

    /** Number of the current tick. */
    int now() {
        return now;
    }

    void add(Connection connection) {
        connections.add(connection);
    }

    void remove(Connection connection) {
        connections.remove(connection);
    }

    /** Closes all, and looks no more. */
    void stop() {
        stopped = true;
        for (Connection connection : List.copyOf(connections)) {
            connection.close();
        }
    }

    private void tick() {
        if (stopped) {
            return;
        }
        now++;
        List<Connection> idle = new ArrayList<>();
        List<Connection> stalled = new ArrayList<>();
        for (Connection connection : connections) {
            int quiet = now - connection.lastActiveTick();
            if (quiet > idleTicks) {
                idle.add(connection);
            } else if (connection.slowTicks() > STALLED_TICKS && connection.holdsWhatOthersWaitFor()) {
                stalled.add(connection);
            }
        }
        idle.forEach(Connection::closeIdle);
        stalled.forEach(Connection::closeStalled);
        start();
    }
}
