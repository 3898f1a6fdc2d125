package io.forebay.sim.house.broken.cluster;

import io.grpc.Status;

/** Breaks a rule: in this room, only the package of the network knows gRPC. */
interface KnowsTheNetwork {
    Status status();
}
