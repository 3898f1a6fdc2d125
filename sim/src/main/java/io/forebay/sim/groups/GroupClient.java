package io.forebay.sim.groups;

import java.net.InetAddress;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/** Who sends a request, as the coordinator sees it. */
record GroupClient(ApiKeys api, int requestVersion) implements AuthorizableRequestContext {

    @Override
    public String listenerName() {
        return "simulated";
    }

    @Override
    public SecurityProtocol securityProtocol() {
        return SecurityProtocol.PLAINTEXT;
    }

    @Override
    public KafkaPrincipal principal() {
        return KafkaPrincipal.ANONYMOUS;
    }

    @Override
    public InetAddress clientAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public int requestType() {
        return api.id;
    }

    @Override
    public String clientId() {
        return "simulated";
    }

    @Override
    public int correlationId() {
        return 0;
    }
}
