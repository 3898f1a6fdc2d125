package io.forebay.cluster.transport;

import java.util.Optional;

/** A control port as nodes announce it: host:port, an IPv6 address in brackets. */
record PeerAddress(String host, int port) {

    private static final int MAX_PORT = 65_535;

    /** Reads host:port; empty if the text is not one that somebody could listen on. */
    static Optional<PeerAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            boolean possible = !host.isBlank() && port > 0 && port <= MAX_PORT;
            return possible ? Optional.of(new PeerAddress(host, port)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
