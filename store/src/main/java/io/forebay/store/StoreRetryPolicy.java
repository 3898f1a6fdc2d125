package io.forebay.store;

import io.forebay.model.Retry;

/**
 * Repeats requests that a store failed to answer or had no space for; nothing else. Only for requests that may take effect
 * twice without harm.
 *
 * @param tries attempts in all
 * @param firstPauseMs pause before the second; doubles up to {@code longestPauseMs}
 */
public record StoreRetryPolicy(int tries, long firstPauseMs, long longestPauseMs) implements Retry.Policy {

    public static final StoreRetryPolicy DEFAULT = new StoreRetryPolicy(10, 20, 1_000);

    @Override
    public long pauseMs(Throwable cause, int failures) {
        boolean passing = cause instanceof StoreException e
                && (e.kind() == StoreException.Kind.UNAVAILABLE || e.kind() == StoreException.Kind.FULL);
        return passing && failures < tries ? Retry.doubling(failures, firstPauseMs, longestPauseMs) : Retry.GIVE_UP;
    }
}
