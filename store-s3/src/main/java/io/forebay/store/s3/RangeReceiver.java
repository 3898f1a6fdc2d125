package io.forebay.store.s3;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Takes the bytes of one answer straight into their place. Thread-safe: an answer that was given up may still be arriving while the
 * next try already fills the same place, so after {@link #end} not a byte is written any more.
 */
final class RangeReceiver implements AsyncResponseTransformer<GetObjectResponse, Integer> {

    private final ByteBuffer place;
    private final int from;
    private final boolean wholeObjectAllowed;
    private CompletableFuture<Integer> result = new CompletableFuture<>();
    private long announced = -1;
    private boolean ended;

    /**
     * Makes a receiver.
     *
     * @param place its own view of where the bytes go, from its position on
     * @param wholeObjectAllowed whether an answer without a range may be taken: the range began at 0
     */
    RangeReceiver(ByteBuffer place, boolean wholeObjectAllowed) {
        this.place = place;
        this.from = place.position();
        this.wholeObjectAllowed = wholeObjectAllowed;
    }

    /** From now on nothing is written. */
    synchronized void end() {
        ended = true;
    }

    @Override
    public CompletableFuture<Integer> prepare() {
        result = new CompletableFuture<>();
        return result;
    }

    @Override
    public synchronized void onResponse(GetObjectResponse response) {
        announced = response.contentLength() == null ? -1 : response.contentLength();
        if ((response.contentRange() == null && !wholeObjectAllowed) || announced > place.remaining()) {
            result.completeExceptionally(new IllegalStateException("the store sends other bytes than were asked for: "
                    + response.contentRange() + ", " + announced + " bytes"));
        }
    }

    @Override
    public void onStream(SdkPublisher<ByteBuffer> publisher) {
        publisher.subscribe(new Subscriber<>() {
            private @Nullable Subscription subscription;

            @Override
            public void onSubscribe(Subscription s) {
                subscription = s;
                s.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(ByteBuffer bytes) {
                Subscription running = subscription;
                if (!take(bytes) && running != null) {
                    running.cancel();
                }
            }

            @Override
            public void onError(Throwable thrown) {
                result.completeExceptionally(thrown);
            }

            @Override
            public void onComplete() {
                complete();
            }
        });
    }

    private synchronized boolean take(ByteBuffer bytes) {
        if (ended || result.isDone()) {
            return false;
        }
        if (bytes.remaining() > place.remaining()) {
            result.completeExceptionally(new IllegalStateException("the store sends more bytes than were asked for"));
            return false;
        }
        place.put(bytes);
        return true;
    }

    private synchronized void complete() {
        int count = place.position() - from;
        if (announced >= 0 && count != announced) {
            result.completeExceptionally(
                    new IllegalStateException("the answer broke off after " + count + " of " + announced + " bytes"));
        } else {
            result.complete(count);
        }
    }

    @Override
    public void exceptionOccurred(Throwable thrown) {
        result.completeExceptionally(thrown);
    }
}
