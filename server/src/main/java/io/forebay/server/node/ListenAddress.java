package io.forebay.server.node;

import io.forebay.server.cli.NodeStartException;
import io.forebay.server.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Whether a node can listen where it should, asked before anything else is begun: the socket itself opens last. */
final class ListenAddress {

    private ListenAddress() {}

    /**
     * The port to listen on, free a moment ago; a free one if it is 0, since clients are told it before the socket is open.
     *
     * @throws NodeStartException if the address cannot be listened on
     */
    static int freePort(HostPort listen) throws NodeStartException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // connections of the last life may still be closing
            socket.bind(new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port()), 1);
            return socket.getLocalPort();
        } catch (IOException e) {
            throw refused(listen, e);
        }
    }

    /** Why it cannot be listened on, in words. */
    static NodeStartException refused(HostPort listen, IOException cause) {
        String reason = String.valueOf(cause.getMessage());
        if (cause instanceof UnknownHostException) {
            return new NodeStartException("host '" + listen.host() + "' is not known: check --listen", cause);
        }
        if (reason.contains("already in use")) {
            return new NodeStartException(
                    "port " + listen.port() + " on " + listen.host()
                            + " is in use by another process: choose another with --listen",
                    cause);
        }
        if (reason.contains("Cannot assign requested address")) {
            return new NodeStartException(
                    "this machine has no address '" + listen.host() + "' to listen on: check --listen", cause);
        }
        return new NodeStartException("cannot listen on " + listen + ": " + reason, cause);
    }
}
