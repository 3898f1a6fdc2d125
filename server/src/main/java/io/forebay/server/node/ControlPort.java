package io.forebay.server.node;

import io.forebay.cluster.control.Asker;
import io.forebay.cluster.control.Peers;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.cluster.transport.ControlServer;
import io.forebay.cluster.transport.GrpcPeers;
import io.forebay.cluster.transport.TransportLoop;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.server.cli.NodeStartException;
import io.forebay.server.config.ClusterConfig;
import io.forebay.server.config.HostPort;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node's side of the control plane: it listens if the configuration says so, and asks others. A node that is alone loads nothing of the network before it finds
 * that others were on its store.
 */
final class ControlPort implements AutoCloseable {

    private volatile BiFunction<ControlRequest, Asker, CompletableFuture<ControlReply>> answers = (request, asker) ->
            CompletableFuture.failedFuture(new UnansweredException("this node is just starting", false));

    private @Nullable TransportLoop loop;
    private @Nullable GrpcPeers peers;
    private @Nullable ControlServer server;
    private String address = "";

    private ControlPort() {}

    /** Listens, if the node is to be one of several. */
    static ControlPort open(ClusterConfig config) throws NodeStartException {
        ControlPort port = new ControlPort();
        Optional<HostPort> listen = config.listen();
        if (listen.isPresent()) {
            try {
                port.server = ControlServer.start(
                        port.loop(),
                        listen.get().host(),
                        listen.get().port(),
                        (request, asker) -> port.answers.apply(request, asker));
                port.address = config.announced(port.server.address().getPort()).toString();
            } catch (IOException e) {
                port.close();
                throw new NodeStartException(
                        "the control port cannot listen on " + listen.get() + ": " + e.getMessage()
                                + "; choose another with cluster.listen",
                        e);
            }
        }
        return port;
    }

    /** What other nodes are told; empty if this one does not listen. */
    String address() {
        return address;
    }

    /** From now on questions are answered by this. */
    void answerWith(BiFunction<ControlRequest, Asker, CompletableFuture<ControlReply>> handler) {
        answers = handler;
    }

    /** The way to other nodes. */
    Peers peers() {
        return (to, request, timeoutMs) -> to.isEmpty()
                ? Peers.NONE.ask(to, request, timeoutMs)
                : connected().ask(to, request, timeoutMs);
    }

    private synchronized TransportLoop loop() {
        if (loop == null) {
            loop = TransportLoop.start();
        }
        return loop;
    }

    private synchronized GrpcPeers connected() {
        if (peers == null) {
            peers = new GrpcPeers(loop());
        }
        return peers;
    }

    @Override
    public synchronized void close() {
        if (server != null) {
            server.close();
        }
        if (peers != null) {
            peers.close();
        }
        if (loop != null) {
            loop.close();
        }
    }
}
