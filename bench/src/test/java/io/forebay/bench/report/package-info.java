/** Tests of the package of the same name. */
@NullMarked
package io.forebay.bench.report;

import org.jspecify.annotations.NullMarked;
