package io.forebay.cluster.root;

import io.forebay.model.Loop;
import io.forebay.store.ObjectStat;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Looks up which terms were claimed. Owned by the loop. */
public final class Terms {

    private static final int LIST_LIMIT = 1_000;

    private final Store store;
    private final Loop loop;
    private @Nullable TermClaim newest;

    public Terms(Store store, Loop loop) {
        this.store = store;
        this.loop = loop;
    }

    /** The newest claim; empty if nobody ever claimed. Completes on the loop. */
    public CompletableFuture<Optional<TermClaim>> newest() {
        TermClaim known = newest;
        return after(known == null ? "" : RootObjects.term(known.term()).value());
    }

    private CompletableFuture<Optional<TermClaim>> after(String key) {
        return store.list(RootObjects.TERMS, key, LIST_LIMIT)
                .thenComposeAsync(
                        found -> {
                            if (found.isEmpty()) {
                                return CompletableFuture.completedFuture(Optional.ofNullable(newest));
                            }
                            ObjectStat last = found.get(found.size() - 1);
                            return found.size() < LIST_LIMIT
                                    ? read(last)
                                    : after(last.key().value());
                        },
                        loop);
    }

    private CompletableFuture<Optional<TermClaim>> read(ObjectStat stat) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(stat.sizeBytes()));
        return WholeObject.read(store, loop, stat.key(), bytes).thenApply(read -> {
            newest = RootObjects.decodeTerm(stat.key(), read);
            return Optional.of(newest);
        });
    }
}
