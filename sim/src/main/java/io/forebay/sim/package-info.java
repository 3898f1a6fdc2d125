/**
 * The simulator: the product's own code over a store, clock and loops that one seeded queue drives, with faults.
 *
 * <p>One thread runs everything; the same seed gives the same run. Nothing here is seen by another room. The tests of
 * this room also hold the rules of the house, because it sees every other room.
 */
@NullMarked
package io.forebay.sim;

import org.jspecify.annotations.NullMarked;
