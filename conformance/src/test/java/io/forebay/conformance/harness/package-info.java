/** What all conformance tests stand on: server processes, the text that is streamed, external commands. Start with {@link io.forebay.conformance.harness.BrokerExtension}. */
@NullMarked
package io.forebay.conformance.harness;

import org.jspecify.annotations.NullMarked;
