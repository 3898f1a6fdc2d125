package io.forebay.store;

import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** What became of an append. */
public sealed interface AppendOutcome {

    /** Everything up to {@code endPosition} is durable and was so before any fence. */
    record Durable(long endPosition) implements AppendOutcome {}

    /** Somebody fenced this writer. The bytes of this append may or may not be inside the sealed end. */
    record Fenced() implements AppendOutcome {}

    /** A write or sync failed or timed out. How much of it is or will be there is not known. */
    record Failed(StoreException cause) implements AppendOutcome {}

    /** One function per case, so that a new case breaks the build. */
    default <T> T fold(LongFunction<T> durable, Supplier<T> fenced, Function<? super StoreException, T> failed) {
        if (this instanceof Durable d) {
            return durable.apply(d.endPosition());
        }
        if (this instanceof Failed f) {
            return failed.apply(f.cause());
        }
        return fenced.get();
    }
}
