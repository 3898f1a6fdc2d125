package io.forebay.store;

import java.util.function.Function;
import java.util.function.Supplier;

/** What became of an exclusive create. */
public sealed interface CreateOutcome {

    /** The object is there, empty, and this caller is its only writer. */
    record Created(Appender appender) implements CreateOutcome {}

    /** The key was taken. */
    record AlreadyExists() implements CreateOutcome {}

    /** The object may be there, now or later, without a writer. Only a tombstone or a seal settles it. */
    record OutcomeUnknown(StoreException cause) implements CreateOutcome {}

    /** One function per case, so that a new case breaks the build. */
    default <T> T fold(
            Function<? super Appender, T> created,
            Supplier<T> alreadyExists,
            Function<? super StoreException, T> outcomeUnknown) {
        if (this instanceof Created c) {
            return created.apply(c.appender());
        }
        if (this instanceof OutcomeUnknown u) {
            return outcomeUnknown.apply(u.cause());
        }
        return alreadyExists.get();
    }
}
