package io.forebay.sim.house.broken.log;

import io.forebay.sim.house.broken.broker.SeenByLog;

/** Breaks a rule: log sees broker. */
interface SeesBroker {
    SeenByLog broker();
}
