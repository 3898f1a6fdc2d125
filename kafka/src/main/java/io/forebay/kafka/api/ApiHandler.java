package io.forebay.kafka.api;

import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Readable;

/**
 * Serves one API in all versions it advertises. Stateless or thread-safe: one instance serves every connection.
 *
 * @param <Q> the request message
 */
public interface ApiHandler<Q extends ApiMessage> {

    ApiKeys api();

    /** Lowest version served: what the protocol classes still read. */
    default short lowestVersion() {
        return api().messageType.lowestSupportedVersion();
    }

    /** Lowest version that ApiVersions tells; another one than the lowest served only where clients need to hear it. */
    default short lowestVersionTold() {
        return lowestVersion();
    }

    /** Highest version served: the newest stable one. */
    default short highestVersion() {
        return api().messageType.highestSupportedVersion(false);
    }

    /** Whether a request may start while earlier ones of the same kind on its connection are not answered yet. */
    default boolean isPipelined() {
        return false;
    }

    /** Reads the body of a request. Byte buffers and records in it may be slices of the request's memory. */
    Q read(Readable body, short version);

    /** Serves the request and answers on the exchange: exactly once, at any time, on any thread. Called on the connection's loop. */
    void handle(Q request, Exchange exchange);
}
