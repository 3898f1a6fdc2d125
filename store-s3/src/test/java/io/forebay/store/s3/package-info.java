/** The back end in a bucket, against a real server in memory and against one that answers oddly on purpose. */
@NullMarked
package io.forebay.store.s3;

import org.jspecify.annotations.NullMarked;
