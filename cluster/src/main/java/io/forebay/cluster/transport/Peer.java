package io.forebay.cluster.transport;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.TimeUnit;

/** The connection to one control port, and how much it is used. Owned by the transport loop. */
final class Peer {

    private static final int CONNECT_TIMEOUT_MS = 5_000;
    /** The shortest time that gRPC allows. A question's own deadline notices a dead peer sooner. */
    private static final long KEEP_ALIVE_MS = 10_000;

    private static final long KEEP_ALIVE_TIMEOUT_MS = 3_000;

    private final ManagedChannel channel;
    private int asking;
    private long uses;

    Peer(TransportLoop transport, PeerAddress address) {
        this.channel = NettyChannelBuilder.forAddress(address.host(), address.port())
                .eventLoopGroup(transport.group())
                .channelType(NioSocketChannel.class)
                .directExecutor()
                .usePlaintext()
                .disableRetry()
                .disableServiceConfigLookUp()
                .proxyDetector(target -> null)
                .maxInboundMessageSize(ControlMethod.MESSAGE_MAX_BYTES)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS)
                .keepAliveTime(KEEP_ALIVE_MS, TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .build();
    }

    ManagedChannel channel() {
        return channel;
    }

    void begin() {
        asking++;
        uses++;
    }

    /** One question is over. */
    void end() {
        asking--;
    }

    /** Changes with every question. */
    long uses() {
        return uses;
    }

    /** Whether nobody waits, and nobody has asked since there were so many uses. */
    boolean isIdleSince(long earlier) {
        return asking == 0 && uses == earlier;
    }

    /** Takes no more questions; those that wait keep their deadlines, then the connection closes. */
    void retire() {
        ManagedChannel unused = channel.shutdown();
    }

    /** Fails all that wait and closes. */
    void abandon() {
        ManagedChannel unused = channel.shutdownNow();
    }
}
