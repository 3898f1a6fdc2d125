package io.forebay.cluster.image;

import io.forebay.model.ShardId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What a node may do: a rule of placement. */
public enum Role {
    /** Owns shards of users' topics. */
    BROKER,
    /** Owns shards of internal topics. */
    COORDINATOR,
    /** Stands for the root. */
    CONTROLLER;

    /** What a node does that was told nothing. */
    public static final Set<Role> ALL = Set.of(values());

    /** Whether a node with these roles may own the shard. */
    public static boolean mayOwn(Set<Role> roles, ShardId shard) {
        return roles.contains(shard.isRoot() ? CONTROLLER : shard.isInternal() ? COORDINATOR : BROKER);
    }

    /** Whether a node with these roles owns any shard but the root's, and so writes a journal. */
    public static boolean ownsShards(Set<Role> roles) {
        return roles.contains(BROKER) || roles.contains(COORDINATOR);
    }

    static Set<Role> decoded(List<io.forebay.formats.metadata.Role> persisted) {
        EnumSet<Role> roles = EnumSet.noneOf(Role.class);
        for (io.forebay.formats.metadata.Role role : persisted) {
            switch (role) {
                case ROLE_BROKER -> roles.add(BROKER);
                case ROLE_COORDINATOR -> roles.add(COORDINATOR);
                case ROLE_CONTROLLER -> roles.add(CONTROLLER);
                default -> {
                    // A role of a later version: whoever does not know it gives it nothing.
                }
            }
        }
        return persisted.isEmpty() ? ALL : Set.copyOf(roles);
    }

    /** As it is persisted and sent. */
    public io.forebay.formats.metadata.Role encoded() {
        return switch (this) {
            case BROKER -> io.forebay.formats.metadata.Role.ROLE_BROKER;
            case COORDINATOR -> io.forebay.formats.metadata.Role.ROLE_COORDINATOR;
            case CONTROLLER -> io.forebay.formats.metadata.Role.ROLE_CONTROLLER;
        };
    }
}
