/** The testkit room. */
@NullMarked
package io.forebay.testkit;

import org.jspecify.annotations.NullMarked;
