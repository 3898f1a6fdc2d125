package io.forebay.server.config;

import java.util.Optional;

/**
 * A host name or address with a TCP port, written {@code HOST:PORT}; an IPv6 address stands in brackets
 * ({@code [::1]:9092}). Port 0 means "any free port" where something listens.
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;

    public HostPort {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host is blank");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + " is not in 0.." + MAX_PORT);
        }
    }

    /** Reads {@code HOST:PORT}; empty if the text is not one. */
    public static Optional<HostPort> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || colon == text.length() - 1) {
            return Optional.empty();
        }
        String host = text.substring(0, colon).strip();
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            return Optional.empty();
        }
        if (host.isBlank() || host.chars().anyMatch(c -> Character.isWhitespace(c) || c == '/')) {
            return Optional.empty();
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1).strip());
            return port < 0 || port > MAX_PORT ? Optional.empty() : Optional.of(new HostPort(host, port));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** True for the address that means every interface: nobody can connect to it by that name. */
    public boolean isWildcard() {
        return host.equals("0.0.0.0") || host.equals("::") || host.equals("0:0:0:0:0:0:0:0");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
