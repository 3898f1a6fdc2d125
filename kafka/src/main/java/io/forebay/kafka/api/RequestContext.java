package io.forebay.kafka.api;

import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Who asks for what.
 *
 * @param clientId empty if the client gave none
 */
public record RequestContext(
        ApiKeys api, short version, int correlationId, String clientId, ClientConnection connection) {}
