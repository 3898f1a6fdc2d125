/** Stores that can be broken on purpose: a folder, HDFS and an S3 server as processes. Start with {@link io.forebay.conformance.stores.StoreUnderTest}. */
@NullMarked
package io.forebay.conformance.stores;

import org.jspecify.annotations.NullMarked;
