package io.forebay.cluster.member;

import io.forebay.cluster.image.Role;
import java.util.Set;

/**
 * Who a node is to the cluster and to clients.
 *
 * @param host what clients connect to
 * @param rack empty if it has none
 * @param lanes of its journals
 * @param address of its control port, host:port; empty if it has none and so is alone on its store
 */
public record MemberIdentity(
        int nodeId, Set<Role> roles, String host, int port, String rack, int lanes, String address) {
    public MemberIdentity {
        roles = Set.copyOf(roles);
    }
}
