/** Topics, configs, offsets and groups through the newest admin client: what works, and the error of what cannot. */
@NullMarked
package io.forebay.conformance.admin;

import org.jspecify.annotations.NullMarked;
