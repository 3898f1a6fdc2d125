package io.forebay.server.cli.cluster;

import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.MemberStatus;
import io.forebay.formats.control.Moving;
import io.forebay.formats.control.NodeStatus;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.ShardLoad;
import io.forebay.formats.control.ShardStatus;
import io.forebay.formats.metadata.Role;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster's state as people and scripts see it. Pure.
 *
 * @param nodes by id
 * @param shards by number
 */
record ClusterView(ClusterStatus status, List<NodeRow> nodes, List<ShardRow> shards) {

    /** What a node is doing. */
    enum NodeState {
        /** Serves, and takes shards. */
        UP,
        /** Its operator wants it to keep no shards, and it still has some. */
        DRAINING,
        /** Its operator wants it to keep no shards, and it has none. */
        DRAINED,
        /** Gives its shards away because it is about to stop. */
        STOPPING,
        /** The controller hears of it, but the store has not answered it lately: it serves nothing. */
        NO_STORE,
        /** Has no session. */
        DOWN;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** What a shard is doing. */
    enum ShardState {
        /** Its owner serves it. */
        OPEN,
        /** It has no partitions, so that its owner has nothing to open. */
        EMPTY,
        /** Its owner takes it over. */
        OPENING,
        /** Its owner is to give it up. */
        MOVING,
        /** Nobody owns it. */
        OWNERLESS;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One node.
     *
     * @param address what clients connect to
     * @param load weighted bytes each second
     * @param heardMs time since the controller heard of it
     */
    record NodeRow(
            int id,
            NodeState state,
            boolean controller,
            String address,
            String rack,
            List<String> roles,
            long session,
            int userShards,
            int internalShards,
            long load,
            Optional<Long> heardMs) {}

    /**
     * One shard.
     *
     * @param movesTo node that it is on its way to, if that is decided
     */
    record ShardRow(
            ShardId id,
            ShardState state,
            long epoch,
            int partitions,
            Optional<Integer> owner,
            Optional<Integer> movesTo,
            long load) {}

    static ClusterView of(ClusterStatus status) {
        Map<Long, MemberStatus> members = new HashMap<>();
        status.getMembersList().forEach(member -> members.put(member.getSession(), member));
        Map<Integer, Long> loads = new HashMap<>();
        Set<ShardEpoch> open = new HashSet<>();
        for (MemberStatus member : members.values()) {
            open.addAll(member.getOpenList());
            for (ShardLoad load : member.getLoadsList()) {
                loads.merge(load.getShard(), load.getBytesPerSecond(), Long::sum);
            }
        }
        List<ShardRow> shards = shards(status, open, loads);
        List<NodeRow> nodes = new ArrayList<>();
        for (NodeStatus node : status.getNodesList()) {
            nodes.add(node(
                    node,
                    node.getNodeId() == status.getControllerNode(),
                    Optional.ofNullable(members.get(node.getSession())),
                    shards));
        }
        return new ClusterView(status, List.copyOf(nodes), shards);
    }

    private static List<ShardRow> shards(ClusterStatus status, Set<ShardEpoch> open, Map<Integer, Long> loads) {
        Map<Long, Integer> nodeOf = new HashMap<>();
        status.getNodesList().forEach(node -> nodeOf.put(node.getSession(), node.getNodeId()));
        Map<Integer, Optional<Integer>> moving = new HashMap<>();
        for (Moving move : status.getMovingList()) {
            moving.put(move.getShard(), Optional.ofNullable(nodeOf.get(move.getToSession())));
        }
        List<ShardRow> rows = new ArrayList<>();
        for (ShardStatus shard : status.getShardsList()) {
            ShardEpoch owned = ShardEpoch.newBuilder()
                    .setShard(shard.getShard())
                    .setEpoch(shard.getEpoch())
                    .build();
            Optional<Integer> owner = shard.getOwnerNode() < 0 ? Optional.empty() : Optional.of(shard.getOwnerNode());
            ShardState state = ShardState.OWNERLESS;
            if (owner.isPresent()) {
                state = moving.containsKey(shard.getShard())
                        ? ShardState.MOVING
                        : open.contains(owned)
                                ? ShardState.OPEN
                                : shard.getPartitions() == 0 ? ShardState.EMPTY : ShardState.OPENING;
            }
            rows.add(new ShardRow(
                    new ShardId(shard.getShard()),
                    state,
                    shard.getEpoch(),
                    shard.getPartitions(),
                    owner,
                    moving.getOrDefault(shard.getShard(), Optional.empty()),
                    loads.getOrDefault(shard.getShard(), 0L)));
        }
        return List.copyOf(rows);
    }

    private static NodeRow node(
            NodeStatus node, boolean controller, Optional<MemberStatus> member, List<ShardRow> shards) {
        List<ShardRow> mine = shards.stream()
                .filter(shard -> shard.owner().equals(Optional.of(node.getNodeId())))
                .toList();
        return new NodeRow(
                node.getNodeId(),
                state(node, member, !mine.isEmpty()),
                controller,
                (node.getHost().indexOf(':') >= 0 ? "[" + node.getHost() + "]" : node.getHost()) + ":" + node.getPort(),
                node.getRack(),
                node.getRolesList().stream().map(ClusterView::word).toList(),
                node.getSession(),
                Math.toIntExact(
                        mine.stream().filter(shard -> shard.id().isUser()).count()),
                Math.toIntExact(
                        mine.stream().filter(shard -> shard.id().isInternal()).count()),
                mine.stream().mapToLong(ShardRow::load).sum(),
                member.map(MemberStatus::getSilentMs));
    }

    private static NodeState state(NodeStatus node, Optional<MemberStatus> member, boolean hasShards) {
        if (!node.getAlive()) {
            return NodeState.DOWN;
        }
        if (member.map(MemberStatus::getDraining).orElse(false)) {
            return NodeState.STOPPING;
        }
        if (ownsShards(node) && !member.map(MemberStatus::getHasStore).orElse(true)) {
            return NodeState.NO_STORE;
        }
        if (!node.getDrained()) {
            return NodeState.UP;
        }
        return hasShards ? NodeState.DRAINING : NodeState.DRAINED;
    }

    private static boolean ownsShards(NodeStatus node) {
        return node.getRolesList().stream().anyMatch(role -> role != Role.ROLE_CONTROLLER);
    }

    private static String word(Role role) {
        return role.name().replace("ROLE_", "").toLowerCase(Locale.ROOT);
    }

    /** How many nodes are in this state. */
    long count(NodeState state) {
        return nodes.stream().filter(node -> node.state() == state).count();
    }

    /** How many shards are in this state. */
    long count(ShardState state) {
        return shards.stream().filter(shard -> shard.state() == state).count();
    }
}
