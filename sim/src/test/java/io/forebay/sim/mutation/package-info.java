/** Shows that the simulator finds what it is for: safety rules broken on purpose, each of which a run must notice. */
@NullMarked
package io.forebay.sim.mutation;

import org.jspecify.annotations.NullMarked;
