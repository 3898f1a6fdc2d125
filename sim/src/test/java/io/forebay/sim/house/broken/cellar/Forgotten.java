package io.forebay.sim.house.broken.cellar;

import io.forebay.sim.house.broken.log.EdgeCaller;

/** Breaks a rule: lies in a room that the table does not name. */
interface Forgotten {
    EdgeCaller caller();
}
