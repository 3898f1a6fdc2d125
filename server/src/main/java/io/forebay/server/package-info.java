/**
 * The process: {@link io.forebay.server.Main} puts the command line ({@code cli}), the configuration ({@code config})
 * and the node ({@code node}) together. This room is the only one that knows every other; nobody may depend on it
 * except tests.
 *
 * <p>Threads: the main thread runs one command; {@code start} keeps it waiting until the node ends. A shutdown hook
 * stops the node on SIGTERM and SIGINT.
 *
 * <p>Read first: {@code Main}, then the package of what you came for.
 */
@NullMarked
package io.forebay.server;

import org.jspecify.annotations.NullMarked;
