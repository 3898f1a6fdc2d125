/** Tests of the package of the same name. */
@NullMarked
package io.forebay.bench.row;

import org.jspecify.annotations.NullMarked;
