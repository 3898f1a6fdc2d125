/**
 * Values and ports that every room shares: identities, time, loops and reference-counted bytes.
 *
 * <p>Nothing in here does I/O or knows another room. Time, chance and threads enter the product only through the ports
 * of this package ({@link io.forebay.model.Clock}, {@link io.forebay.model.Loop}, and the JDK's
 * {@link java.util.random.RandomGenerator}); the real implementations live in {@code server}, hand-cranked ones in
 * {@code testkit}. That is what lets the simulator run the code that ships.
 *
 * <p>Read first: {@link io.forebay.model.Loop}, {@link io.forebay.model.Page}.
 */
@NullMarked
package io.forebay.model;

import org.jspecify.annotations.NullMarked;
