package io.forebay.cluster.transport;

import io.forebay.cluster.control.Asker;
import io.grpc.Attributes;
import io.grpc.ServerCall;
import io.grpc.ServerTransportFilter;

/** Knows the asker of each connection and tells it when that is closed. */
final class Askers extends ServerTransportFilter {

    private static final Attributes.Key<Asker> ASKER = Attributes.Key.create("asker");

    @Override
    public Attributes transportReady(Attributes connection) {
        return connection.toBuilder().set(ASKER, new Asker()).build();
    }

    @Override
    public void transportTerminated(Attributes connection) {
        Asker asker = connection == null ? null : connection.get(ASKER);
        if (asker != null) {
            asker.hasGone();
        }
    }

    /** Whoever made the call. */
    static Asker of(ServerCall<?, ?> call) {
        Asker asker = call.getAttributes().get(ASKER);
        if (asker == null) {
            throw new IllegalStateException("a call without a connection");
        }
        return asker;
    }
}
