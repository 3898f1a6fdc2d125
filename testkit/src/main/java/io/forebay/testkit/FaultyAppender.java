package io.forebay.testkit;

import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The writer of one object of a {@link FaultyStore}: write, sync, look, each a step of its own. Owned by the simulation.
 */
final class FaultyAppender implements Appender {

    private final FaultyStore store;
    private final SimulatedProcess process;
    private final SimulatedLoop thread;
    private final ObjectKey key;
    private final FaultyObject object;
    private final ObjectKey successor;
    private int durableEnd;
    private boolean busy;
    private boolean ended;

    FaultyAppender(
            FaultyStore store,
            SimulatedProcess process,
            SimulatedLoop thread,
            ObjectKey key,
            FaultyObject object,
            ObjectKey successor) {
        this.store = store;
        this.process = process;
        this.thread = thread;
        this.key = key;
        this.object = object;
        this.successor = successor;
    }

    @Override
    public CompletableFuture<AppendOutcome> append(List<ByteBuffer> bytes) {
        if (busy) {
            store.simulation().fail(new AssertionError("two appends at once to '" + key + "'"));
        }
        if (ended) {
            return CompletableFuture.completedFuture(new AppendOutcome.Failed(
                    new StoreException(StoreException.Kind.INVALID, "the writer of '" + key + "' has ended")));
        }
        busy = true;
        WatchedBytes data = new WatchedBytes(bytes);
        StoreFault fault = store.draw(process, StoreOperation.APPEND, key);
        FaultyRequest.Place place = store.chance().nextBoolean()
                ? FaultyRequest.Place.ON_THE_SENDERS_THREAD
                : FaultyRequest.Place.AT_THE_STORE;
        boolean breaksWithin =
                fault == StoreFault.SHORT_WRITE || fault == StoreFault.FAILED_SYNC || fault == StoreFault.FULL;
        FaultyRequest request = new FaultyRequest(
                store,
                process,
                thread,
                place,
                breaksWithin ? null : fault,
                store.blow(process, StoreOperation.APPEND, key));
        CompletableFuture<AppendOutcome> outcome = request.run(
                answer -> {
                    if (breaksWithin) {
                        breakWithin(
                                request,
                                data.copy(),
                                fault == StoreFault.FULL,
                                fault != StoreFault.FAILED_SYNC,
                                answer);
                    } else {
                        writeSyncLook(request, data.copy(), answer);
                    }
                },
                answer -> answer.complete(new AppendOutcome.Failed(FaultyHandle.timedOut())));
        return data.watch(store.simulation(), settled(outcome));
    }

    @Override
    public CompletableFuture<Void> close() {
        ended = true;
        return CompletableFuture.completedFuture(null);
    }

    private void writeSyncLook(FaultyRequest request, byte[] data, CompletableFuture<AppendOutcome> answer) {
        object.write(data, data.length);
        int end = object.size();
        request.then(() -> {
            object.syncTo(end);
            request.then(() -> {
                if (store.find(successor) != null) {
                    answer.complete(new AppendOutcome.Fenced());
                } else {
                    durableEnd = end;
                    answer.complete(new AppendOutcome.Durable(end));
                }
            });
        });
    }

    /** Writes a part or all, syncs nothing, and fails; like the local folder it then tries to fix the end. */
    private void breakWithin(
            FaultyRequest request, byte[] data, boolean full, boolean partly, CompletableFuture<AppendOutcome> answer) {
        object.write(data, partly && data.length > 0 ? store.chance().nextInt(data.length) : data.length);
        StoreException cause = new StoreException(
                full ? StoreException.Kind.FULL : StoreException.Kind.UNAVAILABLE,
                full ? "injected: no space left on device" : "injected: input/output error");
        request.then(() -> {
            if (store.chance().nextBoolean()) {
                answer.complete(new AppendOutcome.Failed(cause));
                return;
            }
            object.seal(durableEnd);
            request.then(() -> {
                object.sealIsDurable();
                answer.complete(new AppendOutcome.Failed(cause));
            });
        });
    }

    /** Ends this writer at the first outcome that is not durable; an exception is a failure too. */
    private CompletableFuture<AppendOutcome> settled(CompletableFuture<AppendOutcome> outcome) {
        return outcome.handle((value, failure) -> {
            busy = false;
            AppendOutcome known = failure instanceof StoreException cause ? new AppendOutcome.Failed(cause) : value;
            if (!(known instanceof AppendOutcome.Durable)) {
                ended = true;
            }
            return known;
        });
    }
}
