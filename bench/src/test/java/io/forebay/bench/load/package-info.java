/** Tests of the package of the same name. */
@NullMarked
package io.forebay.bench.load;

import org.jspecify.annotations.NullMarked;
