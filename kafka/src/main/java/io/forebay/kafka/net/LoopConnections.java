package io.forebay.kafka.net;

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

    /** Ticks that make up the longest idle time: it is exceeded by one of them at most. */
    private static final int TICKS = 16;

    private final Loop loop;
    private final long tickMs;
    private final Set<Connection> connections = Collections.newSetFromMap(new IdentityHashMap<>());
    private int now;
    private boolean stopped;

    LoopConnections(Loop loop, long maxIdleMs) {
        this.loop = loop;
        this.tickMs = Math.max(1, maxIdleMs / TICKS);
    }

    Loop loop() {
        return loop;
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
        for (Connection connection : connections) {
            if (now - connection.lastActiveTick() > TICKS) {
                idle.add(connection);
            }
        }
        idle.forEach(Connection::closeIdle);
        start();
    }
}
