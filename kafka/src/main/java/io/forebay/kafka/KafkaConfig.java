package io.forebay.kafka;

import io.forebay.kafka.net.ConnectionConfig;

/**
 * What this room is configured with.
 *
 * @param host address to listen on
 * @param port 0: any free one
 * @param produceInFlightMaxBytes memory for requests that wait for their acknowledgement, over all connections
 * @param connectionsMax further ones are closed at once
 * @param fetchMaxBytes most bytes in one answer to a fetch, apart from a larger first batch
 * @param fetchInFlightMaxBytes memory for answers to fetches that have not left yet, over all connections
 * @param fetchSessionsMax incremental fetch sessions that are remembered
 * @param autoCreateTopics whether Metadata creates unknown topics for clients that allow it
 */
public record KafkaConfig(
        String host,
        int port,
        int requestMaxBytes,
        long produceInFlightMaxBytes,
        int connectionsMax,
        long connectionsMaxIdleMs,
        int fetchMaxBytes,
        long fetchInFlightMaxBytes,
        int fetchSessionsMax,
        boolean autoCreateTopics) {

    ConnectionConfig connections() {
        return ConnectionConfig.of(requestMaxBytes, connectionsMaxIdleMs);
    }
}
