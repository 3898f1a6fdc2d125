package io.forebay.bench.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of the loopback that nobody listens on now and that this JVM gives out once each round, so that a process can be
 * started anew on its port. They lie below the range from which the system picks the clients' own. Thread-safe.
 */
public final class FreePorts {

    private static final int FIRST = 9500;
    private static final int COUNT = 400;

    /** Two JVMs at the same time begin at different places. */
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 37 % COUNT));

    private FreePorts() {}

    /** The next free port. */
    public static int next() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException inUse) {
                // the next one may be free
            }
        }
        throw new AssertionError("no free port from " + FIRST + " on");
    }
}
