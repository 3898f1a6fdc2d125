package io.forebay.sim.house.broken.cluster.transport;

import io.grpc.Status;

/** Breaks nothing. */
interface MayKnowTheNetwork {
    Status status();
}
