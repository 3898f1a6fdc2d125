/** Tests of the commands about topics. */
@NullMarked
package io.forebay.server.cli.topic;

import org.jspecify.annotations.NullMarked;
