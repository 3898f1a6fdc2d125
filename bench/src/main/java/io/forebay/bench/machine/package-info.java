/**
 * What the machine says: CPU time of processes and of the whole machine from {@code /proc}, memory, and the cost of a
 * raw {@code fdatasync}. Values are immutable; {@link io.forebay.bench.machine.ProcFiles} and
 * {@link io.forebay.bench.machine.SyncCost} do the reading and may be used from any thread. Linux only.
 */
@NullMarked
package io.forebay.bench.machine;

import org.jspecify.annotations.NullMarked;
