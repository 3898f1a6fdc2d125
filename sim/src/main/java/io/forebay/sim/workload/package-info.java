/**
 * What clients do, and what must hold at the end. A workload acts through timers on its own client loop, remembers what it was
 * promised, and checks it when the world has settled.
 */
@NullMarked
package io.forebay.sim.workload;

import org.jspecify.annotations.NullMarked;
