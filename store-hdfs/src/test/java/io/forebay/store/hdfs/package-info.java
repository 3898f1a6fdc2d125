@NullMarked
package io.forebay.store.hdfs;

import org.jspecify.annotations.NullMarked;
