/** The controller's parts, each by itself: what they decide from an image, and what they tell. */
@NullMarked
package io.forebay.cluster.control;

import org.jspecify.annotations.NullMarked;
