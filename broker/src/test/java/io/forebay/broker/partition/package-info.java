/**
 * Tests of single parts of a partition; what a partition does as a whole is tested by the simulator and by real clients.
 */
@NullMarked
package io.forebay.broker.partition;

import org.jspecify.annotations.NullMarked;
