package io.forebay.sim.house.broken.testkit;

/** A fake that product code must not see. */
public record Fake() {}
