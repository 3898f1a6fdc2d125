package io.forebay.cluster.transport;

import io.forebay.cluster.control.Peers;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.model.When;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Asks other nodes over the network.
 *
 * <p>One connection for each address, made by the first question and closed when none was asked for a while. A connection over which
 * a question failed is not asked again: the next question makes a new one, at once, whatever has become of the old. So a peer that
 * comes back is found by the next question, however long it was away, and the pace is the asker's.
 *
 * <p>State is owned by the transport loop; {@link #ask} may be called on any thread and never blocks.
 */
public final class GrpcPeers implements Peers, AutoCloseable {

    /** Longer than the pause between two questions of anybody who asks again and again. */
    private static final long IDLE_MS = 30_000;
    /** Addresses that are asked at a time; more is a fault of the asker. */
    private static final int MAX_PEERS = 1_024;

    private final EventLoop loop;
    private final long idleMs;
    private final TransportLoop transport;
    private final Map<PeerAddress, Peer> peers = new HashMap<>();
    private boolean closed;

    public GrpcPeers(TransportLoop transport) {
        this(transport, IDLE_MS);
    }

    GrpcPeers(TransportLoop transport, long idleMs) {
        this.transport = transport;
        this.loop = transport.loop();
        this.idleMs = idleMs;
    }

    @Override
    public CompletableFuture<ControlReply> ask(String address, ControlRequest request, long timeoutMs) {
        Optional<PeerAddress> target = PeerAddress.parse(address);
        if (target.isEmpty()) {
            return unsent("'" + address + "' is no address of a control port: expected HOST:PORT");
        }
        if (request.getSerializedSize() > ControlMethod.MESSAGE_MAX_BYTES) {
            return unsent("a question of " + request.getSerializedSize() + " bytes is longer than the "
                    + ControlMethod.MESSAGE_MAX_BYTES + " that may be sent");
        }
        CompletableFuture<ControlReply> answer = new CompletableFuture<>();
        try {
            loop.execute(() -> ask(target.get(), new Question(address, request, timeoutMs, answer)));
        } catch (RejectedExecutionException ended) {
            return unsent("this node is stopping");
        }
        return answer;
    }

    private void ask(PeerAddress address, Question question) {
        if (closed) {
            question.unsent("this node is stopping");
            return;
        }
        Peer peer = peers.get(address);
        if (peer == null) {
            if (peers.size() >= MAX_PEERS) {
                question.unsent("this node talks to " + MAX_PEERS + " others already");
                return;
            }
            peer = new Peer(transport, address);
            peers.put(address, peer);
            dropWhenIdle(address, peer);
        }
        Peer asked = peer;
        asked.begin();
        question.ask(asked.channel(), () -> loop.execute(() -> drop(address, asked)));
        When.doneOn(loop, question.answer(), (reply, failure) -> asked.end());
    }

    private void drop(PeerAddress address, Peer peer) {
        if (peers.remove(address, peer)) {
            peer.retire();
        }
    }

    private void dropWhenIdle(PeerAddress address, Peer peer) {
        long uses = peer.uses();
        Future<?> unused = loop.schedule(
                () -> {
                    if (peer.isIdleSince(uses)) {
                        drop(address, peer);
                    } else if (peers.get(address) == peer) {
                        dropWhenIdle(address, peer);
                    }
                },
                idleMs,
                TimeUnit.MILLISECONDS);
    }

    private static CompletableFuture<ControlReply> unsent(String message) {
        return CompletableFuture.failedFuture(new UnansweredException(message, false));
    }

    /** How many peers there is a connection to, or an attempt at one. For tests; completes on the loop. */
    CompletableFuture<Integer> connected() {
        CompletableFuture<Integer> number = new CompletableFuture<>();
        loop.execute(() -> number.complete(peers.size()));
        return number;
    }

    /** Ends all connections; what is still unanswered fails. Returns at once. */
    @Override
    public void close() {
        try {
            loop.execute(() -> {
                closed = true;
                List.copyOf(peers.values()).forEach(Peer::abandon);
                peers.clear();
            });
        } catch (RejectedExecutionException ended) {
            // the loop took the connections with it
        }
    }
}
