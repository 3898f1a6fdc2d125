/**
 * The rules of the house, as tests: who may see whom, which calls are made only at the edge, and that the sources and
 * pages are tidy.
 *
 * <p>They stand in this room because it sees all the others. Every rule is also run on small classes that break it, in
 * {@code broken}, so that a rule which no longer matches anything cannot pass in silence. Read {@link
 * io.forebay.sim.house.Rooms} first: it is the table of rooms.
 */
@NullMarked
package io.forebay.sim.house;

import org.jspecify.annotations.NullMarked;
