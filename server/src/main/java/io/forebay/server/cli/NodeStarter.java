package io.forebay.server.cli;

import io.forebay.server.config.ForebayConfig;

/** Brings a node up. */
@FunctionalInterface
public interface NodeStarter {

    /**
     * Returns when the node serves clients. If it cannot come to that, everything it began is undone.
     *
     * @throws NodeStartException if the node cannot serve; the message tells a user why and what to do
     */
    RunningNode start(ForebayConfig config) throws NodeStartException, InterruptedException;
}
