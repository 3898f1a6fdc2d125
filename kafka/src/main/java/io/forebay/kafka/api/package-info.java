/**
 * What a handler of one API gets and gives: a parsed request, who asks, and an exchange to answer on.
 *
 * <p>Handlers are called on the connection's loop and may answer on any thread. They keep nothing between requests except what
 * belongs to a connection and goes with it.
 *
 * <p>Read first: {@link io.forebay.kafka.api.ApiHandler}, {@link io.forebay.kafka.api.Exchange}.
 */
@NullMarked
package io.forebay.kafka.api;

import org.jspecify.annotations.NullMarked;
