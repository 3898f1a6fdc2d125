package io.forebay.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cluster.transport.ControlServer;
import io.forebay.cluster.transport.TransportLoop;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.NodeStatus;
import io.forebay.formats.control.ShardStatus;
import io.forebay.formats.control.Standing;
import io.forebay.formats.control.Submitted;
import io.forebay.model.ShardId;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole commands against a control port that answers like a controller. */
class ClusterCommandTest {

    private final TransportLoop loop = TransportLoop.start();
    private final List<ClusterCommand> commands = new CopyOnWriteArrayList<>();
    private int owner = 1;
    private ControlServer controller;

    @BeforeEach
    void start() throws IOException {
        controller = ControlServer.start(loop, "127.0.0.1", 0, (question, asker) -> answer(question));
    }

    @AfterEach
    void end() {
        controller.close();
        loop.close();
    }

    private CompletableFuture<ControlReply> answer(ControlRequest request) {
        ControlReply.Builder reply =
                ControlReply.newBuilder().setStanding(Standing.LEADS).setTerm(3);
        if (request.hasSubmit()) {
            commands.add(request.getSubmit().getCommand());
            reply.setSubmitted(Submitted.newBuilder()
                    .setReply(
                            request.getSubmit().getCommand().hasBalance()
                                    ? CommandReply.newBuilder().setBalanced(5)
                                    : CommandReply.newBuilder()));
        } else {
            reply.setStatus(ClusterStatus.newBuilder()
                    .setClusterId("abc")
                    .setControllerNode(1)
                    .addNodes(NodeStatus.newBuilder()
                            .setNodeId(1)
                            .setSession(5)
                            .setAlive(true)
                            .setHost("127.0.0.1")
                            .setPort(9092))
                    .addShards(ShardStatus.newBuilder()
                            .setShard(ShardId.user(0).value())
                            .setEpoch(2)
                            .setPartitions(3)
                            .setOwnerNode(commands.isEmpty() ? owner : 2)));
        }
        return CompletableFuture.completedFuture(reply.build());
    }

    private CommandRun run(String... words) {
        String[] args = new String[words.length + 3];
        args[0] = "cluster";
        System.arraycopy(words, 0, args, 1, words.length);
        args[words.length + 1] = "--control";
        args[words.length + 2] = "127.0.0.1:" + controller.address().getPort();
        return CommandRun.of(args);
    }

    @Test
    void showsTheClusterAsTextAndAsJson() {
        assertThat(run("status").out()).contains("cluster     abc", "1 shard not served");
        assertThat(run("status", "--json").out()).startsWith("{\"cluster\":\"abc\",\"controller\":1,");
        assertThat(run("nodes").out()).contains("up, controller", "127.0.0.1:9092");
        assertThat(run("nodes", "--json").out()).startsWith("[{\"node\":1,\"state\":\"up\",\"controller\":true,");
        assertThat(run("shards").out()).contains("user-0");
        assertThat(run("shards", "--node", "4").out()).doesNotContain("user-0");
        assertThat(run("shards", "--json").out())
                .startsWith(
                        "[{\"shard\":\"user-0\",\"node\":1,\"epoch\":2,\"partitions\":3,\"state\":\"opening\",\"movesTo\":null,");
    }

    @Test
    void steersTheCluster() {
        assertThat(run("move", "user-3", "internal-0", "--to", "2").out())
                .isEqualTo(lines("shard user-3 goes to node 2", "shard internal-0 goes to node 2"));
        assertThat(run("drain", "1", "--wait").out()).isEqualTo(lines("node 1 has no shards"));
        assertThat(run("undrain", "1").out()).isEqualTo(lines("node 1 gets shards again"));
        assertThat(run("balance").out()).isEqualTo(lines("5 shards move, a part of them at a time"));

        assertThat(commands.stream().map(ClusterCommand::getKindCase))
                .containsExactly(
                        ClusterCommand.KindCase.MOVE_SHARD,
                        ClusterCommand.KindCase.MOVE_SHARD,
                        ClusterCommand.KindCase.DRAIN_NODE,
                        ClusterCommand.KindCase.DRAIN_NODE,
                        ClusterCommand.KindCase.BALANCE);
        assertThat(commands.get(1).getMoveShard().getShard())
                .isEqualTo(ShardId.internal(0).value());
        assertThat(commands.get(2).getDrainNode().getDrain()).isTrue();
        assertThat(commands.get(3).getDrainNode().getDrain()).isFalse();
    }

    @Test
    void saysWhatIsWrongWithItsArguments() {
        assertThat(run("move", "17", "--to", "2").err())
                .startsWith("forebay: bad value '17' for SHARD: expected a name such as user-17 or internal-0");
        assertThat(run("move", "user-1").exitCode()).isEqualTo(2);
        assertThat(CommandRun.of("cluster", "status", "--control", "here").err())
                .startsWith("forebay: bad value 'here' for --control: expected HOST:PORT");
    }

    @Test
    void saysThatNobodyIsThere() {
        String address = "127.0.0.1:" + controller.address().getPort();
        controller.close();

        CommandRun run = CommandRun.of("cluster", "status", "--control", address);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("cannot reach a node at " + address, "cluster.listen");
    }

    private static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }
}
