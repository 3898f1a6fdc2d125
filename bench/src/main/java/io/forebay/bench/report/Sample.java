package io.forebay.bench.report;

/**
 * One measured figure.
 *
 * @param metric what was measured, see {@link Metrics}
 * @param target short name of the system
 * @param round figures of one round were taken one after another and may be compared
 * @param value the figure, in the metric's unit
 * @param quiet whether other processes left the machine alone meanwhile
 */
public record Sample(String metric, String target, int round, double value, boolean quiet) {}
