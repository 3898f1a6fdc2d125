package io.forebay.server.config;

import java.util.Optional;

/**
 * The node's place among others.
 *
 * @param listen its control port; empty: it is alone on its store. Port 0 takes any free one
 * @param advertised what other nodes are told, if not where it listens
 * @param sessionTimeoutMs silence after which a node counts as dead
 */
public record ClusterConfig(Optional<HostPort> listen, Optional<HostPort> advertised, long sessionTimeoutMs) {

    /**
     * What other nodes are told.
     *
     * @param portInUse where the control port really is
     * @throws java.util.NoSuchElementException if it has no control port
     */
    public HostPort announced(int portInUse) {
        HostPort told = advertised.or(() -> listen).orElseThrow();
        return told.port() == 0 ? new HostPort(told.host(), portInUse) : told;
    }
}
