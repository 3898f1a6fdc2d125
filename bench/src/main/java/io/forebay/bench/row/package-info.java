/**
 * What is measured in which order. A {@link io.forebay.bench.row.Row} starts the targets on fresh folders, puts loads on
 * them in turns, adds samples, and ends everything it started; rows do not depend on each other.
 *
 * <p>One thread runs all rows. Kept true: in each round every target has its turn, and who begins changes from round to
 * round; code of servers and client is warmed up before a figure counts, except where a cold start is the figure.
 */
@NullMarked
package io.forebay.bench.row;

import org.jspecify.annotations.NullMarked;
