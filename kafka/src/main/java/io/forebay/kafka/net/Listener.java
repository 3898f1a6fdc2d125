package io.forebay.kafka.net;

import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.api.ClientConnection;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.IdentityHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listening socket, and the connections that came through it. Thread-safe. */
public final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final long CLOSE_TIMEOUT_MS = 5_000;
    private static final int BACKLOG = 1_024;

    private final ConnectionConfig config;
    private final ApiTable apis;
    private final Admission admission;
    private final int connectionsMax;
    private final IdentityHashMap<EventLoop, LoopConnections> byLoop = new IdentityHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong lastNumber = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final Channel socket;

    private Listener(
            NetLoops loops,
            Clock clock,
            InetSocketAddress address,
            ConnectionConfig config,
            ApiTable apis,
            Admission admission,
            int connectionsMax)
            throws IOException {
        this.config = config;
        this.apis = apis;
        this.admission = admission;
        this.connectionsMax = connectionsMax;
        for (Loop loop : loops.loops()) {
            byLoop.put(((NettyLoop) loop).eventLoop(), new LoopConnections(loop, clock, config.maxIdleMs()));
        }
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, FilePiece.SIZES)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(config.writeLowBytes(), config.writeHighBytes()))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + address + ": " + bound.cause().getMessage(), bound.cause());
        }
        this.socket = bound.channel();
        byLoop.values().forEach(LoopConnections::start);
    }

    /**
     * Listens on the address, and serves whoever connects on the loops.
     *
     * @throws IOException if the address cannot be bound
     */
    public static Listener open(
            NetLoops loops,
            Clock clock,
            InetSocketAddress address,
            ConnectionConfig config,
            ApiTable apis,
            Admission admission,
            int connectionsMax)
            throws IOException {
        return new Listener(loops, clock, address, config, apis, admission, connectionsMax);
    }

    /** Where it listens: with the real port. */
    public InetSocketAddress address() {
        return (InetSocketAddress) socket.localAddress();
    }

    /** Number of open connections. */
    public int connections() {
        return count.get();
    }

    private void accept(SocketChannel channel) {
        int open = count.incrementAndGet();
        var unused = channel.closeFuture().addListener(done -> count.decrementAndGet());
        if (open > connectionsMax) {
            long times = refused.incrementAndGet();
            if (Long.bitCount(times) == 1) { // a flood of connections is no flood of log lines
                LOG.warn(
                        "Refused {} connections so far: {} are open, the limit is {}.",
                        times,
                        open - 1,
                        connectionsMax);
            }
            var unusedClose = channel.close();
            return;
        }
        LoopConnections siblings = byLoop.get(channel.eventLoop());
        if (siblings == null) {
            throw new IllegalStateException("a connection on a loop that is not the listener's");
        }
        InetSocketAddress local = channel.localAddress();
        InetSocketAddress remote = channel.remoteAddress();
        String id = text(local) + "-" + text(remote) + "-" + lastNumber.incrementAndGet();
        ClientConnection client =
                new ClientConnection(id, remote.getAddress(), siblings.loop(), KafkaPrincipal.ANONYMOUS);
        Connection connection = new Connection(config, apis, admission, siblings, client, channel);
        channel.config().setRecvByteBufAllocator(connection.reader());
        channel.pipeline().addLast(connection);
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Takes no further connections. */
    public void stopAccepting() {
        var unused = socket.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    /** Takes no further connections and closes those there are; waits for it. Not to be called on a loop. */
    @Override
    public void close() {
        stopAccepting();
        CountDownLatch stopped = new CountDownLatch(byLoop.size());
        byLoop.forEach((eventLoop, connections) -> eventLoop.execute(() -> {
            connections.stop();
            stopped.countDown();
        }));
        try {
            if (!stopped.await(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                LOG.warn("Connections were not closed within {} ms.", CLOSE_TIMEOUT_MS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
