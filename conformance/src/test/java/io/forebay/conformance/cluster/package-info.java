/** Several Forebay nodes as processes over one store. Start with {@link io.forebay.conformance.cluster.ForebayCluster}. */
@NullMarked
package io.forebay.conformance.cluster;

import org.jspecify.annotations.NullMarked;
