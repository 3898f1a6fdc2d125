/**
 * Configuration: one table of settings, and what is made of it.
 *
 * <p>{@link io.forebay.server.config.Settings} is the only place where a setting is defined: key, type, unit, default,
 * range and the sentence that explains it. Parsing, the commented {@code conf/forebay.properties}, the page
 * {@code docs/configuration.md} and {@code forebay start --help-config} all come from it; a test keeps the two files
 * equal to the table. Everything here is immutable and pure: the only reading of a file is in {@code ConfigText}'s
 * caller, the command line.
 *
 * <p>Kept true: a {@link io.forebay.server.config.ForebayConfig} that exists is valid as a whole; rooms receive their
 * own record and never a key or a text; a wrong configuration is an outcome that names every problem at once, not an
 * exception.
 *
 * <p>Read first: {@code Settings}, {@code ForebayConfig}.
 */
@NullMarked
package io.forebay.server.config;

import org.jspecify.annotations.NullMarked;
