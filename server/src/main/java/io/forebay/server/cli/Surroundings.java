package io.forebay.server.cli;

import io.forebay.model.Clock;

/**
 * All that the command line takes from the process it runs in.
 *
 * @param starter brings up the node for {@code start}
 * @param stopSignal ends commands that would go on for ever
 */
public record Surroundings(Console console, Clock clock, NodeStarter starter, StopSignal stopSignal) {}
