package io.forebay.server.node;

import io.forebay.broker.session.NodeSessions;
import io.forebay.cluster.control.Asker;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.member.ControllerContact;
import io.forebay.cluster.member.MemberIdentity;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.NodeHealth;
import java.util.concurrent.CompletableFuture;

/** Answers what comes to the control port: how this node is, or what only the controller answers. */
final class ControlAnswers {

    private static final int UNKNOWN = -1;

    private final MemberIdentity identity;
    private final NodeSessions sessions;

    ControlAnswers(MemberIdentity identity, NodeSessions sessions) {
        this.identity = identity;
        this.sessions = sessions;
    }

    /** Any thread. */
    CompletableFuture<ControlReply> answer(ControlRequest request, Asker asker) {
        return request.hasHealth() ? health() : sessions.leadership().answer(request, asker);
    }

    private CompletableFuture<ControlReply> health() {
        return sessions.health()
                .thenApply(health -> ControlReply.newBuilder()
                        .setHealth(NodeHealth.newBuilder()
                                .setNodeId(identity.nodeId())
                                .setSession(health.session())
                                .setProofAgeMs(health.proofAgeMs())
                                .setProofHoldsMs(health.proofHoldsMs())
                                .setVersion(health.version())
                                .setControllerNode(health.controller()
                                        .map(ControllerContact::nodeId)
                                        .orElse(UNKNOWN))
                                .setControllerHeardMs(health.controller()
                                        .map(ControllerContact::heardMs)
                                        .orElse((long) UNKNOWN))
                                .setOwnedShards(health.ownedShards())
                                .setOpenShards(health.openShards())
                                .setOwnsShards(Role.ownsShards(identity.roles())))
                        .build());
    }
}
