/**
 * The commands about a cluster: they ask a node's control port, and the controller if that is another. Only here and in the node's own
 * wiring does the server touch the control plane's network.
 */
@NullMarked
package io.forebay.server.cli.cluster;

import org.jspecify.annotations.NullMarked;
