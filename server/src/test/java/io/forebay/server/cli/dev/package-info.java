/** The throw-away cluster: what is planned, and how processes are started, followed and ended; with small ones in place of nodes. */
@NullMarked
package io.forebay.server.cli.dev;

import org.jspecify.annotations.NullMarked;
