/**
 * The commands {@code forebay topic ...}, one class each.
 *
 * <p>Threads: a command's own. Read first: {@code TopicDescribeCommand}.
 */
@NullMarked
package io.forebay.server.cli.topic;

import org.jspecify.annotations.NullMarked;
