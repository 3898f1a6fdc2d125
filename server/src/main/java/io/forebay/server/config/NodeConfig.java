package io.forebay.server.config;

import io.forebay.cluster.image.Role;
import java.util.Set;

/**
 * Who this node is.
 *
 * @param rack where it stands, empty if nobody said
 * @param roles at least one
 */
public record NodeConfig(int id, String clusterName, String rack, Set<Role> roles) {
    public NodeConfig {
        roles = Set.copyOf(roles);
        if (roles.isEmpty()) {
            throw new IllegalArgumentException("a node without a role");
        }
    }
}
