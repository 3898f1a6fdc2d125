package io.forebay.server.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.MemberStatus;
import io.forebay.formats.control.Moving;
import io.forebay.formats.control.NodeStatus;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.ShardLoad;
import io.forebay.formats.control.ShardStatus;
import io.forebay.formats.metadata.Role;
import io.forebay.model.ShardId;
import io.forebay.server.cli.cluster.ClusterView.NodeState;
import io.forebay.server.cli.cluster.ClusterView.ShardState;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

    private static final int USER_0 = ShardId.user(0).value();
    private static final int USER_1 = ShardId.user(1).value();
    private static final int USER_2 = ShardId.user(2).value();
    private static final int INTERNAL_0 = ShardId.internal(0).value();

    /** Node 1 leads and has a shard that moves to node 2, which opens one; node 3 is dead, and its shard has no owner yet. */
    private static final ClusterStatus STATUS = ClusterStatus.newBuilder()
            .setClusterId("abc")
            .setTerm(5)
            .setControllerNode(1)
            .setVersion(77)
            .setLevel(2)
            .setTopics(1)
            .setPartitions(12)
            .addNodes(node(1, 21, true).addRoles(Role.ROLE_BROKER).addRoles(Role.ROLE_CONTROLLER))
            .addNodes(node(2, 22, true).setRack("r").addRoles(Role.ROLE_BROKER))
            .addNodes(node(3, 20, false))
            .addMembers(MemberStatus.newBuilder()
                    .setSession(21)
                    .setSilentMs(10)
                    .setHasStore(true)
                    .addOpen(ShardEpoch.newBuilder().setShard(INTERNAL_0).setEpoch(3))
                    .addOpen(ShardEpoch.newBuilder().setShard(USER_0).setEpoch(3))
                    .addLoads(ShardLoad.newBuilder().setShard(USER_0).setBytesPerSecond(2048)))
            .addMembers(
                    MemberStatus.newBuilder().setSession(22).setSilentMs(120).setHasStore(true))
            .addMoving(Moving.newBuilder().setShard(USER_0).setToSession(22))
            .addShards(shard(INTERNAL_0, 3, 1))
            .addShards(shard(USER_0, 3, 1))
            .addShards(shard(USER_1, 9, 2))
            .addShards(shard(USER_2, 8, -1))
            .build();

    @Test
    void saysWhatEveryShardIsDoing() {
        ClusterView view = ClusterView.of(STATUS);

        assertThat(view.shards().stream().map(ClusterView.ShardRow::state))
                .containsExactly(ShardState.OPEN, ShardState.MOVING, ShardState.OPENING, ShardState.OWNERLESS);
        assertThat(view.shards().get(1).movesTo()).contains(2);
        assertThat(view.shards().get(3).owner()).isEmpty();
    }

    @Test
    void takesAShardForOpenOnlyInItsOwnersEpoch() {
        ClusterStatus earlier =
                STATUS.toBuilder().setShards(0, shard(INTERNAL_0, 4, 1)).build();

        assertThat(ClusterView.of(earlier).shards().get(0).state()).isEqualTo(ShardState.OPENING);
    }

    @Test
    void missesNothingInAShardWithoutPartitions() {
        ClusterStatus empty = STATUS.toBuilder()
                .setShards(2, shard(USER_1, 9, 2).toBuilder().setPartitions(0))
                .build();

        assertThat(ClusterView.of(empty).shards().get(2).state()).isEqualTo(ShardState.EMPTY);
    }

    @Test
    void saysWhatEveryNodeIsDoing() {
        ClusterStatus.Builder drained = STATUS.toBuilder();
        drained.getNodesBuilder(0).setDrained(true);
        drained.getMembersBuilder(1).setDraining(true);

        assertThat(states(STATUS)).containsExactly(NodeState.UP, NodeState.UP, NodeState.DOWN);
        assertThat(states(drained.build())).containsExactly(NodeState.DRAINING, NodeState.STOPPING, NodeState.DOWN);
        drained.setShards(0, shard(INTERNAL_0, 4, 2)).setShards(1, shard(USER_0, 4, 2));
        assertThat(states(drained.build())).containsExactly(NodeState.DRAINED, NodeState.STOPPING, NodeState.DOWN);
    }

    @Test
    void printsNodes() {
        assertThat(text(out -> ClusterNodesCommand.print(ClusterView.of(STATUS), out)))
                .isEqualTo("""
                node  state           address  rack  roles              session  user shards  internal  load       heard
                   1  up, controller  h:9001   -     broker,controller       21            1         1  2.0 KiB/s  10 ms
                   2  up              h:9002   r     broker                  22            1         0  0 bytes/s  120 ms
                   3  down            h:9003   -     -                       20            0         0  0 bytes/s  -
                """);
    }

    @Test
    void printsShards() {
        assertThat(text(out -> ClusterShardsCommand.print(ClusterView.of(STATUS).shards(), out)))
                .isEqualTo("""
                shard       node  epoch  partitions  state             load
                internal-0     1      3           2  open              0 bytes/s
                user-0         1      3           2  moving to node 2  2.0 KiB/s
                user-1         2      9           2  opening           0 bytes/s
                user-2         -      8           2  ownerless         0 bytes/s
                """);
    }

    @Test
    void printsTheWhole() {
        assertThat(text(out -> ClusterStatusCommand.print(ClusterView.of(STATUS), out)))
                .isEqualTo("""
                cluster     abc
                controller  node 1, term 5
                metadata    version 77, feature level 2
                topics      1 topic, 12 partitions
                nodes       2 up, 1 down
                shards      1 open, 1 opening, 1 moving, 1 ownerless
                2 shards not served
                """);
    }

    private static List<NodeState> states(ClusterStatus status) {
        return ClusterView.of(status).nodes().stream()
                .map(ClusterView.NodeRow::state)
                .toList();
    }

    private static NodeStatus.Builder node(int id, long session, boolean alive) {
        return NodeStatus.newBuilder()
                .setNodeId(id)
                .setSession(session)
                .setAlive(alive)
                .setHost("h")
                .setPort(9000 + id);
    }

    private static ShardStatus shard(int shard, long epoch, int owner) {
        return ShardStatus.newBuilder()
                .setShard(shard)
                .setEpoch(epoch)
                .setOwnerNode(owner)
                .setPartitions(2)
                .build();
    }

    private static String text(Consumer<PrintStream> print) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        print.accept(out);
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
