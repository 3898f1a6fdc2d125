/** The commands about a cluster: what they ask, whom they believe, and what they print. */
@NullMarked
package io.forebay.server.cli.cluster;

import org.jspecify.annotations.NullMarked;
