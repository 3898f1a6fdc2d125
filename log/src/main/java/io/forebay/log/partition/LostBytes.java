package io.forebay.log.partition;

import io.forebay.model.Retry;
import io.forebay.store.StoreException;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Tells failures of a read that will stay, because an object has lost its end or is gone, from those that pass. Stateless; any thread. */
final class LostBytes {

    private LostBytes() {}

    /** Whether the object holds less than it must: then the first of the bytes may still be good. */
    static boolean endsEarly(Throwable thrown) {
        return Retry.unwrap(thrown) instanceof StoreException store && store.kind() == StoreException.Kind.CORRUPT;
    }

    /**
     * The failure, with the records that it keeps from readers if it will stay.
     *
     * @param spot names these records, given the reason
     * @return a {@link CorruptRangeException}, a {@link GoneObjectException}, or what it was
     */
    static RuntimeException named(Throwable thrown, Function<String, CorruptRangeException> spot) {
        Throwable cause = Retry.unwrap(thrown);
        if (cause instanceof StoreException store) {
            String reason = String.valueOf(store.getMessage());
            return switch (store.kind()) {
                case CORRUPT -> spot.apply(reason);
                case NOT_FOUND -> new GoneObjectException(spot.apply(reason), store);
                case UNAVAILABLE, FULL, INVALID -> store;
            };
        }
        return cause instanceof RuntimeException failure ? failure : new CompletionException(cause);
    }
}
