package io.forebay.kafka.net;

import io.forebay.model.Loop;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loops of the process: native epoll where there is one, else NIO. They carry sockets and shards alike. Thread-safe.
 */
public final class NetLoops implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NetLoops.class);
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final String LEAK_DETECTION = "io.netty.leakDetection.level";

    private final MultiThreadIoEventLoopGroup group;
    private final boolean epoll;
    private final List<Loop> loops;

    private NetLoops(MultiThreadIoEventLoopGroup group, boolean epoll) {
        this.group = group;
        this.epoll = epoll;
        List<Loop> all = new ArrayList<>();
        for (EventExecutor executor : group) {
            all.add(new NettyLoop((EventLoop) executor));
        }
        this.loops = List.copyOf(all);
    }

    /** Loads Netty's native part, if there is one for this machine. */
    public static void load() {
        boolean unused = Epoll.isAvailable();
    }

    /** Starts so many loops. */
    public static NetLoops start(int count) {
        boolean epoll = Epoll.isAvailable();
        if (!epoll) {
            LOG.info("Native epoll is not available ({}); using NIO.", String.valueOf(Epoll.unavailabilityCause()));
        }
        return start(count, epoll);
    }

    static NetLoops start(int count, boolean epoll) {
        if (System.getProperty(LEAK_DETECTION) == null) {
            ResourceLeakDetector.setLevel(
                    ResourceLeakDetector.Level.DISABLED); // it takes stack traces of a share of all buffers
        }
        return new NetLoops(
                new MultiThreadIoEventLoopGroup(
                        count,
                        new DefaultThreadFactory("net", true),
                        epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory()),
                epoll);
    }

    /** The loops as owners of state, in a fixed order. */
    public List<Loop> loops() {
        return loops;
    }

    MultiThreadIoEventLoopGroup group() {
        return group;
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** Ends the threads after what they have to do; waits for it. Not to be called on a loop. */
    @Override
    public void close() {
        boolean ended = group.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        if (!ended) {
            LOG.warn("Event loops did not end within {} ms.", 2 * CLOSE_TIMEOUT_MS);
        }
    }
}
