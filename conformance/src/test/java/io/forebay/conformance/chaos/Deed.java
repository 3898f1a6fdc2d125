package io.forebay.conformance.chaos;

import java.util.SplittableRandom;

/** Something that is done to the cluster and made good again. */
@FunctionalInterface
interface Deed {

    /** Breaks something and mends it; returns what it did, in words. */
    String run(SplittableRandom chance) throws InterruptedException;
}
