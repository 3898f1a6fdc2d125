package io.forebay.cluster.transport;

import io.forebay.cluster.control.Asker;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on a node's control port and lets somebody answer. Thread-safe. */
public final class ControlServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

    /** Questions of one connection that wait at a time; further ones wait at the asker. A node has about three. */
    private static final int CALLS_PER_CONNECTION = 256;
    /** A connection that has not begun to speak HTTP/2 by then is closed. */
    private static final long HANDSHAKE_TIMEOUT_MS = 5_000;
    /** How often askers may probe whether this node is alive; they do every 10 s. */
    private static final long PERMITTED_KEEP_ALIVE_MS = 5_000;
    /** After this time without a byte an asker is probed, and given up when it does not answer for as long. */
    private static final long KEEP_ALIVE_MS = 20_000;

    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final Server server;

    private ControlServer(Server server) {
        this.server = server;
    }

    /**
     * Begins to listen.
     *
     * @param port 0 takes any free one
     * @param handler called on the transport's thread, so it must not block; its future may complete on any thread. All questions of one connection have
     *     the same asker, which tells when it is closed. A future that fails is an answer too: the asker hears that it got none
     * @throws IOException if it cannot listen there; the message is the operating system's reason
     */
    public static ControlServer start(
            TransportLoop transport,
            String host,
            int port,
            BiFunction<ControlRequest, Asker, CompletableFuture<ControlReply>> handler)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
        Server server = NettyServerBuilder.forAddress(address)
                .bossEventLoopGroup(transport.group())
                .workerEventLoopGroup(transport.group())
                .channelType(NioServerSocketChannel.class)
                .directExecutor()
                .addService(ServerServiceDefinition.builder(ControlMethod.SERVICE)
                        .addMethod(ControlMethod.ASK, new Answerer(transport.loop(), handler))
                        .build())
                .addTransportFilter(new Askers())
                .maxInboundMessageSize(ControlMethod.MESSAGE_MAX_BYTES)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION)
                .handshakeTimeout(HANDSHAKE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(PERMITTED_KEEP_ALIVE_MS, TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(KEEP_ALIVE_MS, TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEP_ALIVE_MS, TimeUnit.MILLISECONDS)
                .build();
        try {
            return new ControlServer(server.start());
        } catch (IOException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Where it listens, with the port in use. */
    public InetSocketAddress address() {
        for (SocketAddress address : server.getListenSockets()) {
            if (address instanceof InetSocketAddress internet) {
                return internet;
            }
        }
        throw new IllegalStateException("closed");
    }

    /** Stops listening and drops every connection; askers that wait hear of it at once. Not to be called on the transport's thread. */
    @Override
    public void close() {
        try {
            if (!server.shutdownNow().awaitTermination(CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                LOG.warn("the control port was not closed within {} ms", CLOSE_TIMEOUT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
