package io.forebay.log.shard;

import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestStore;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Puts the versions of an open shard's manifest, one after the other, each made from the one before. Owned by the shard loop.
 *
 * <p>Every change is to be made of facts that stay true: it runs when its turn comes, which may be later.
 */
final class ManifestUpdates {

    private record Pending(UnaryOperator<Manifest> change, CompletableFuture<Manifest> result) {}

    private final ManifestStore store;
    private final Consumer<RuntimeException> lost;
    private final Queue<Pending> pending = new ArrayDeque<>();
    private Manifest current;
    private @Nullable RuntimeException ended;
    private boolean busy;

    /** @param lost told when the shard is no longer ours, or its manifest cannot be written at all */
    ManifestUpdates(ManifestStore store, Manifest current, Consumer<RuntimeException> lost) {
        this.store = store;
        this.current = current;
        this.lost = lost;
    }

    /** The newest version that is known to count. */
    Manifest current() {
        return current;
    }

    /** Completes on the shard loop with the version that was made of the change. */
    CompletableFuture<Manifest> update(UnaryOperator<Manifest> change) {
        CompletableFuture<Manifest> result = new CompletableFuture<>();
        if (ended != null) {
            result.completeExceptionally(ended);
            return result;
        }
        pending.add(new Pending(change, result));
        next();
        return result;
    }

    void end(RuntimeException cause) {
        if (ended == null) {
            ended = cause;
            store.end();
            for (Pending one = pending.poll(); one != null; one = pending.poll()) {
                one.result.completeExceptionally(cause);
            }
        }
    }

    private void next() {
        Pending one = busy ? null : pending.poll();
        if (one == null) {
            return;
        }
        Manifest made;
        try {
            made = one.change.apply(current);
        } catch (RuntimeException e) {
            one.result.completeExceptionally(e);
            next();
            return;
        }
        if (made.version() != current.version() + 1) {
            throw new IllegalStateException("manifest " + made.version() + " does not follow " + current.version());
        }
        busy = true;
        var unused = store.put(made).whenComplete((outcome, thrown) -> {
            busy = false;
            if (thrown == null && outcome == ManifestStore.Outcome.CURRENT) {
                current = made;
                one.result.complete(made);
                next();
                return;
            }
            RuntimeException cause = thrown == null
                    ? new ShardLostException("shard " + made.shard() + ": manifest " + made.version()
                            + " or a later one was made by somebody else")
                    : new IllegalStateException("manifest " + made.version() + " cannot be written", thrown);
            end(cause);
            one.result.completeExceptionally(cause);
            lost.accept(cause);
        });
    }
}
