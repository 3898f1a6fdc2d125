package io.forebay.cluster.transport;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of the control port: sockets, questions and answers of one node. One is enough for messages of some hundred bytes; it is
 * none of the net loops, so that clients under load delay no heartbeat. Close it after those that use it. Thread-safe.
 */
public final class TransportLoop implements AutoCloseable {

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(TransportLoop.class);
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    /**
     * gRPC logs to the JDK's logging, not to ours: of every scan of the port, and of what it still had to do when the thread ended. What
     * fails is told to whoever asked. Held, or the level is forgotten.
     */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private final EventLoopGroup group;
    private final EventLoop loop;

    private TransportLoop(EventLoopGroup group) {
        this.group = group;
        this.loop = group.next();
    }

    /** Starts the thread. */
    public static TransportLoop start() {
        GRPC.setLevel(Level.OFF);
        return new TransportLoop(new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("control-port", true), NioIoHandler.newFactory()));
    }

    EventLoopGroup group() {
        return group;
    }

    EventLoop loop() {
        return loop;
    }

    /** Ends the thread after what it has to do; waits for it. Not to be called on it. */
    @Override
    public void close() {
        boolean ended = group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        if (!ended) {
            LOG.warn("the thread of the control port did not end within {} ms", 2 * CLOSE_TIMEOUT_MS);
        }
    }
}
