/** Tests of what a session does with its shards. */
@NullMarked
package io.forebay.broker.session;

import org.jspecify.annotations.NullMarked;
