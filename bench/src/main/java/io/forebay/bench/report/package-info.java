/**
 * From samples to a report: {@link io.forebay.bench.report.Samples} collects what was measured,
 * {@link io.forebay.bench.report.Metrics} says what each figure is called and which bar it must pass,
 * {@link io.forebay.bench.report.Judge} compares, and two writers put it down as a Markdown block and as JSON.
 *
 * <p>Pure but for {@link io.forebay.bench.report.ReportFiles}. Kept true: a ratio is made of two figures of the same
 * round, and the ratio of a metric is the median of these, never a ratio of medians; a figure that needs a quiet machine
 * is judged only from rounds in which the machine was quiet for both sides, and only if there are enough of them.
 */
@NullMarked
package io.forebay.bench.report;

import org.jspecify.annotations.NullMarked;
