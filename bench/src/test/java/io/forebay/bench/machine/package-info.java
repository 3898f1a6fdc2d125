/** Tests of the package of the same name. */
@NullMarked
package io.forebay.bench.machine;

import org.jspecify.annotations.NullMarked;
