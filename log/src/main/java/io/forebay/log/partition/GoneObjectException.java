package io.forebay.log.partition;

import io.forebay.store.StoreException;

/**
 * A read found that its object is not there. As a rule it was replaced, and the shard's view of now names others; if that names it still, its records are
 * {@link #lost}. Never leaves this package.
 */
final class GoneObjectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final CorruptRangeException lost;
    private final StoreException notFound;

    GoneObjectException(CorruptRangeException lost, StoreException notFound) {
        super(notFound);
        this.lost = lost;
        this.notFound = notFound;
    }

    /** What to say if nothing has replaced the object. */
    CorruptRangeException lost() {
        return lost;
    }

    /** What the store has said. */
    StoreException notFound() {
        return notFound;
    }
}
