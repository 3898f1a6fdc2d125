/**
 * The commands {@code forebay group ...}, one class each.
 *
 * <p>Kept true: {@code reset} changes nothing without {@code --execute}; what it would do and what it does are computed by
 * the same code.
 *
 * <p>Threads: a command's own. Read first: {@code GroupView}, {@code GroupResetCommand}.
 */
@NullMarked
package io.forebay.server.cli.group;

import org.jspecify.annotations.NullMarked;
