package io.forebay.store.s3;

import io.forebay.model.Retry;
import io.forebay.store.PutOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Creates one object unless its key is taken, and finds out what became of it. One use.
 *
 * <p>The request says {@code If-None-Match: *}. What the answer "taken" (412) means depends on what went before:
 *
 * <ul>
 *   <li>after nothing, or only after refusals that did nothing (409): somebody else's object lies there
 *   <li>after a request that was never answered, or answered 5xx: it may be that one which lies there. Then the object is looked at. Each
 *       call leaves a token of its own in the object's metadata: the same token means WRITTEN, another one ALREADY_EXISTS. The content
 *       would not tell: two callers may put the same bytes, and exactly one of them may hear WRITTEN
 *   <li>and if the object has no token, because the store drops metadata or another program made it: other content means
 *       ALREADY_EXISTS, the same content OUTCOME_UNKNOWN
 * </ul>
 *
 * <p>When all tries are used up the outcome is unknown if any of them may have had an effect, or may still have: never a failure.
 */
final class ConditionalPut {

    /** What is found under the key, as far as it matters. */
    enum Found {
        /** It carries this call's token. */
        OWN,
        OTHER,
        /** It has the same content, and no token. */
        PERHAPS_OWN,
        NOTHING
    }

    private final S3Calls calls;
    private final RequestGate gate;
    private final String action;
    private final Supplier<CompletableFuture<?>> request;
    private final Supplier<CompletableFuture<Found>> look;
    /** Written before each pause, read after it. */
    private volatile boolean mayHaveHappened;

    /**
     * Prepares it.
     *
     * @param request sends the conditional request once
     * @param look finds out what lies under the key
     */
    ConditionalPut(
            S3Calls calls,
            RequestGate gate,
            String action,
            Supplier<CompletableFuture<?>> request,
            Supplier<CompletableFuture<Found>> look) {
        this.calls = calls;
        this.gate = gate;
        this.action = action;
        this.request = request;
        this.look = look;
    }

    /** Fails with an {@link S3Failure} if surely nothing was done and no other try would help, or all were used up by conflicts. */
    CompletableFuture<PutOutcome> run() {
        return calls.repeat(gate, action, this::once).exceptionallyCompose(thrown -> {
            Throwable cause = Retry.unwrap(thrown);
            if (!(cause instanceof S3Failure failure)) {
                return CompletableFuture.failedFuture(cause);
            }
            boolean gone = failure.meaning() == S3Failure.Meaning.UPLOAD_GONE;
            if (failure.meaning() == S3Failure.Meaning.TAKEN || (gone && mayHaveHappened)) {
                return mayHaveHappened
                        ? look.get().thenApply(ConditionalPut::outcome).exceptionally(e -> PutOutcome.OUTCOME_UNKNOWN)
                        : CompletableFuture.completedFuture(PutOutcome.ALREADY_EXISTS);
            }
            return mayHaveHappened
                    ? CompletableFuture.completedFuture(PutOutcome.OUTCOME_UNKNOWN)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    private CompletableFuture<PutOutcome> once() {
        return request.get().handle((answer, thrown) -> {
            if (thrown == null) {
                return PutOutcome.WRITTEN;
            }
            S3Failure failure = calls.meaningOf(thrown, action);
            if (failure.ambiguous()) {
                mayHaveHappened = true;
            }
            throw failure;
        });
    }

    private static PutOutcome outcome(Found found) {
        return switch (found) {
            case OWN -> PutOutcome.WRITTEN;
            case OTHER -> PutOutcome.ALREADY_EXISTS;
            case PERHAPS_OWN, NOTHING -> PutOutcome.OUTCOME_UNKNOWN;
        };
    }
}
