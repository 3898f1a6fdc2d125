package io.forebay.cluster.control;

import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import java.util.concurrent.CompletableFuture;

/** The way to other nodes' control ports: a call, a network, or a simulated one. Thread-safe. */
public interface Peers {

    /**
     * Asks one node.
     *
     * @param address as the node has announced it: host:port
     * @param timeoutMs after which there is no answer any more; the question may still arrive, also later
     * @return completes on any thread; fails with {@link UnansweredException}
     */
    CompletableFuture<ControlReply> ask(String address, ControlRequest request, long timeoutMs);

    /** For a node that is alone: nobody answers. */
    Peers NONE = (address, request, timeoutMs) -> CompletableFuture.failedFuture(
            new UnansweredException("this node has no control port (cluster.listen), so it asks nobody", false));
}
