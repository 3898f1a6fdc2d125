package io.forebay.sim.house.broken.broker;

import io.forebay.sim.house.broken.log.EdgeCaller;
import io.forebay.sim.house.broken.testkit.Fake;
import org.jspecify.annotations.Nullable;

/** Breaks two rules: product code sees a fake, and this room and log see each other. */
public record SeenByLog(Fake fake, @Nullable EdgeCaller caller) {}
