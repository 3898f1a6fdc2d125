package io.forebay.kafka.groups;

import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.RequestContext;
import java.net.InetAddress;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/** Who asks, as the coordinator wants to know it. */
public record GroupCaller(RequestContext context) implements AuthorizableRequestContext {

    private static final String LISTENER = "CLIENT";

    public static GroupCaller of(Exchange exchange) {
        return new GroupCaller(exchange.context());
    }

    @Override
    public String listenerName() {
        return LISTENER;
    }

    @Override
    public SecurityProtocol securityProtocol() {
        return SecurityProtocol.PLAINTEXT;
    }

    @Override
    public KafkaPrincipal principal() {
        return context.connection().principal();
    }

    @Override
    public InetAddress clientAddress() {
        return context.connection().address();
    }

    @Override
    public int requestType() {
        return context.api().id;
    }

    @Override
    public int requestVersion() {
        return context.version();
    }

    @Override
    public String clientId() {
        return context.clientId();
    }

    @Override
    public int correlationId() {
        return context.correlationId();
    }
}
