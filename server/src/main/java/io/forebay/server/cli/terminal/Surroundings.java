package io.forebay.server.cli.terminal;

import io.forebay.model.Clock;

/**
 * What a command takes from the process it runs in.
 *
 * @param stopSignal ends commands that would go on for ever
 */
public record Surroundings(Console console, Clock clock, StopSignal stopSignal) {}
