/** Simulated nodes on a faulty store, and what happens to them. Owned by the thread that runs the simulation. */
@NullMarked
package io.forebay.sim.world;

import org.jspecify.annotations.NullMarked;
