package io.forebay.server.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.cluster.control.Peers;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.formats.control.BalanceCommand;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Standing;
import io.forebay.formats.control.Submitted;
import io.forebay.server.cli.terminal.CommandFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ControlClientTest {

    private static final ClusterCommand.Builder BALANCE =
            ClusterCommand.newBuilder().setBalance(BalanceCommand.getDefaultInstance());

    private final FakePeers peers = new FakePeers();
    private final ControlClient client = new ControlClient("a:1", peers);

    @Test
    void followsTheWayToTheController() {
        peers.answers.put("a:1", () -> leader("b:1"));
        peers.answers.put("b:1", ControlClientTest::status);

        assertThat(client.status().getClusterId()).isEqualTo("abc");

        assertThat(peers.asked).containsExactly("a:1", "b:1");
    }

    @Test
    void knowsNoTermSoThatItEndsNone() {
        peers.answers.put("a:1", ControlClientTest::status);

        assertThat(client.status().getClusterId()).isEqualTo("abc");

        assertThat(peers.requests).allMatch(request -> request.getTerm() == -1);
    }

    @Test
    void asksAgainWhileThereIsNoController() {
        peers.answers.put("a:1", () -> switch (peers.asked.size()) {
            case 1 -> leader("");
            case 2 -> ControlReply.newBuilder().setStanding(Standing.NOT_YET).build();
            case 3 -> leader("dead:1");
            default -> status();
        });

        assertThat(client.status().getClusterId()).isEqualTo("abc");

        assertThat(peers.asked).containsExactly("a:1", "a:1", "a:1", "dead:1", "a:1");
    }

    @Test
    void doesNotGoRoundInCircles() {
        peers.answers.put("a:1", () -> peers.asked.size() > 3 ? status() : leader("b:1"));
        peers.answers.put("b:1", () -> leader("a:1"));

        assertThat(client.status().getClusterId()).isEqualTo("abc");
    }

    @Test
    void saysThatTheNamedNodeIsNotThere() {
        assertThatThrownBy(client::status)
                .isInstanceOf(CommandFailure.class)
                .hasMessage("cannot reach a node at a:1 (refused): is it running, with cluster.listen set to this?");
    }

    @Test
    void tellsWhyTheControllerDoesNotDoIt() {
        peers.answers.put("a:1", () -> steered("node 7 does not run"));

        assertThatThrownBy(() -> client.steer(BALANCE)).hasMessage("node 7 does not run");
    }

    @Test
    void isContentWhenTheControllerDoesIt() {
        peers.answers.put("a:1", () -> steered(""));

        client.steer(BALANCE);

        assertThat(peers.requests.get(0).getSubmit().getCommand().hasBalance()).isTrue();
    }

    @Test
    void tellsWhenTheControllerRefuses() {
        peers.answers.put(
                "a:1",
                () -> ControlReply.newBuilder()
                        .setStanding(Standing.REFUSED)
                        .setMessage("update this node")
                        .build());

        assertThatThrownBy(client::status).hasMessage("the controller refused: update this node");
    }

    private static ControlReply leader(String address) {
        return ControlReply.newBuilder()
                .setStanding(Standing.NOT_LEADING)
                .setLeader(address)
                .build();
    }

    private static ControlReply status() {
        return ControlReply.newBuilder()
                .setStanding(Standing.LEADS)
                .setStatus(ClusterStatus.newBuilder().setClusterId("abc"))
                .build();
    }

    private static ControlReply steered(String problem) {
        return ControlReply.newBuilder()
                .setStanding(Standing.LEADS)
                .setSubmitted(Submitted.newBuilder()
                        .setReply(CommandReply.newBuilder().setSteered(problem)))
                .build();
    }

    private static final class FakePeers implements Peers {
        final Map<String, Supplier<ControlReply>> answers = new HashMap<>();
        final List<String> asked = new ArrayList<>();
        final List<ControlRequest> requests = new ArrayList<>();

        @Override
        public CompletableFuture<ControlReply> ask(String address, ControlRequest request, long timeoutMs) {
            asked.add(address);
            requests.add(request);
            Supplier<ControlReply> answer = answers.get(address);
            return answer == null
                    ? CompletableFuture.failedFuture(new UnansweredException("refused", false))
                    : CompletableFuture.completedFuture(answer.get());
        }
    }
}
