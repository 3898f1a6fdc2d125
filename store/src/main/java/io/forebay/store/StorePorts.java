package io.forebay.store;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a back end is handed: threads, time and chance. It makes none of its own.
 *
 * @param io runs blocking reads, uploads, listings and deletes; never the caller's loop
 * @param timers where pauses and time-outs run out; what runs there never blocks
 * @param chance spreads repeated requests and names attempts; seeded unlike that of any other process
 */
public record StorePorts(Executor io, Loop timers, Clock clock, RandomGenerator chance) {}
