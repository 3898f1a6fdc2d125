/** Tests of the commands about groups. */
@NullMarked
package io.forebay.server.cli.group;

import org.jspecify.annotations.NullMarked;
