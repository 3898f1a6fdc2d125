/**
 * How commands reach a broker: the options that all client commands share, an admin client with the questions they have in
 * common, and the client library's failures in words.
 *
 * <p>Kept true: a broker that is not there, or is none, is told within seconds.
 *
 * <p>Threads: a command's own. Read first: {@code ClientOptions}, {@code BrokerAdmin}.
 */
@NullMarked
package io.forebay.server.cli.client;

import org.jspecify.annotations.NullMarked;
