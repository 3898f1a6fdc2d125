package io.forebay.server.config;

/**
 * Sockets and admission.
 *
 * @param listen where the node listens; port 0 takes any free one
 * @param advertised what clients are told; the same as {@code listen} unless set (with port 0: the port in use counts)
 * @param requestMaxBytes largest request read from a socket
 * @param produceInFlightMaxBytes memory for requests that wait for their acknowledgement
 * @param fetchMaxBytes most bytes in one fetch answer, apart from a larger first batch
 */
public record NetworkConfig(
        HostPort listen,
        HostPort advertised,
        int requestMaxBytes,
        long produceInFlightMaxBytes,
        int connectionsMax,
        long connectionsMaxIdleMs,
        int fetchMaxBytes,
        int fetchSessionsMax) {}
