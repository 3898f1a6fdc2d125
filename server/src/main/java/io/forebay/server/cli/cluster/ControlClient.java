package io.forebay.server.cli.cluster;

import io.forebay.cluster.control.Peers;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.cluster.transport.GrpcPeers;
import io.forebay.cluster.transport.TransportLoop;
import io.forebay.formats.control.BalanceCommand;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Health;
import io.forebay.formats.control.NodeHealth;
import io.forebay.formats.control.Status;
import io.forebay.formats.control.Submit;
import io.forebay.server.cli.client.BrokerFailures;
import io.forebay.server.cli.terminal.CommandFailure;
import java.util.concurrent.ExecutionException;

/**
 * Asks the controller, wherever it is: first the node that was named, then the one which that says. While a cluster changes its
 * controller it asks again, for some seconds. Everything it asks may be asked twice.
 */
final class ControlClient implements AutoCloseable {

    private static final long ANSWER_MS = 5_000;
    /** Longer than a change of controller takes with the default session time-out. */
    private static final int TRIES = 60;

    private static final long PAUSE_MS = 200;
    /** What an answer that does not come counts for. */
    private static final int TRIES_OF_SILENCE = (int) (ANSWER_MS / PAUSE_MS);

    /** Nobody that takes the wrong node's word for who leads goes round in circles without a pause. */
    private static final int HOPS = 3;

    private final String address;
    private final Peers peers;
    private final Runnable close;

    ControlClient(String address) {
        this.address = address;
        TransportLoop loop = TransportLoop.start();
        GrpcPeers network = new GrpcPeers(loop);
        this.peers = network;
        this.close = () -> {
            network.close();
            loop.close();
        };
    }

    ControlClient(String address, Peers peers) {
        this.address = address;
        this.peers = peers;
        this.close = () -> {};
    }

    /** How the cluster is. */
    ClusterStatus status() {
        return ask(ControlRequest.newBuilder()
                        .setStatus(Status.getDefaultInstance())
                        .build())
                .getStatus();
    }

    /** How the node is that was named; nobody else is asked. */
    NodeHealth health() {
        ControlReply reply;
        try {
            reply = answer(
                    address,
                    ControlRequest.newBuilder()
                            .setTerm(-1)
                            .setHealth(Health.getDefaultInstance())
                            .build());
        } catch (UnansweredException e) {
            throw unreachable(e);
        }
        if (!reply.hasHealth()) {
            throw CommandFailure.failed("the node at " + address + " does not know this question: update it");
        }
        return reply.getHealth();
    }

    private CommandFailure unreachable(UnansweredException e) {
        return CommandFailure.failed(
                "cannot reach a node at " + address + " (" + e.getMessage()
                        + "): is it running, with cluster.listen set to this?",
                e);
    }

    /**
     * Steers the cluster; returns when the controller has taken the command.
     *
     * @throws CommandFailure if the controller says why not
     */
    void steer(ClusterCommand.Builder command) {
        String problem = submit(command).getSteered();
        if (!problem.isEmpty()) {
            throw CommandFailure.failed(problem);
        }
    }

    /** Has the shards evened out. Returns how many are on their way, or will be. */
    int balance() {
        return submit(ClusterCommand.newBuilder().setBalance(BalanceCommand.getDefaultInstance()))
                .getBalanced();
    }

    private CommandReply submit(ClusterCommand.Builder command) {
        return ask(ControlRequest.newBuilder()
                        .setSubmit(Submit.newBuilder().setCommand(command))
                        .build())
                .getSubmitted()
                .getReply();
    }

    private ControlReply ask(ControlRequest question) {
        // Whoever asks knows no term: a higher one than the controller's would end that.
        ControlRequest request = question.toBuilder().setTerm(-1).build();
        String last = "";
        for (int tries = 0; tries < TRIES; tries++) {
            if (tries > 0) {
                pause();
            }
            String asked = address;
            for (int hop = 0; hop < HOPS; hop++) {
                ControlReply reply;
                try {
                    reply = answer(asked, request);
                } catch (UnansweredException e) {
                    if (asked.equals(address)) {
                        throw unreachable(e);
                    }
                    last = e.getMessage();
                    tries += e.mayHaveArrived() ? TRIES_OF_SILENCE : 0;
                    break;
                }
                switch (reply.getStanding()) {
                    case LEADS -> {
                        return reply;
                    }
                    case REFUSED -> throw CommandFailure.failed("the controller refused: " + reply.getMessage());
                    default -> last = asked + " does not lead, and nobody else seems to";
                }
                if (reply.getLeader().isEmpty() || reply.getLeader().equals(asked)) {
                    break;
                }
                asked = reply.getLeader();
            }
        }
        throw CommandFailure.failed("the cluster has no controller at the moment: " + last);
    }

    private ControlReply answer(String asked, ControlRequest request) {
        try {
            return peers.ask(asked, request, ANSWER_MS).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnansweredException unanswered) {
                throw unanswered;
            }
            throw CommandFailure.failed("asking " + asked + " failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            throw BrokerFailures.interrupted(e);
        }
    }

    static void pause() {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            throw BrokerFailures.interrupted(e);
        }
    }

    @Override
    public void close() {
        close.run();
    }
}
