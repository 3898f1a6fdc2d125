package io.forebay.bench.report;

/**
 * One start of the benchmark whose figures are in a report.
 *
 * @param command the command that does it again
 * @param commit version of the source
 * @param date when it began
 * @param minutes how long it has taken
 */
public record Run(String command, String commit, String date, long minutes) {}
