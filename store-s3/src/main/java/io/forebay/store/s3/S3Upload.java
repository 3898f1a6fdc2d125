package io.forebay.store.s3;

import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * An object in the making: one put if it stays small, else a multipart upload with a conditional completion. One call at a time; holds
 * one part in memory, and sends it before it takes more.
 */
final class S3Upload implements ObjectUpload {

    /** S3 wants at least 5 MiB for all parts but the last. */
    static final int PART_BYTES = 8 << 20;

    private static final int MAX_PARTS = 10_000;
    static final long MAX_BYTES = (long) PART_BYTES * MAX_PARTS;
    private static final int FIRST_BUFFER_BYTES = 64 << 10;

    private final S3Store store;
    private final ObjectKey key;
    private final S3AsyncClient client;
    private final S3Requests requests;
    private final S3Calls calls;
    private final RequestGate gate;
    private final String token;
    private final List<CompletedPart> parts = new ArrayList<>();
    /** Grows up to a part. Filled from 0 to its position. */
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BUFFER_BYTES);

    private volatile @Nullable String uploadId;
    private volatile boolean ended;

    S3Upload(S3Store store, ObjectKey key, S3AsyncClient client, S3Requests requests, S3Calls calls, RequestGate gate) {
        this.store = store;
        this.key = key;
        this.client = client;
        this.requests = requests;
        this.calls = calls;
        this.gate = gate;
        this.token = calls.token();
    }

    @Override
    public CompletableFuture<Void> write(ByteBuffer bytes) {
        if (ended) {
            return hasEnded();
        }
        return S3Calls.forCallers(take(bytes.duplicate()));
    }

    private CompletableFuture<Void> take(ByteBuffer bytes) {
        while (true) {
            fill(bytes);
            if (buffer.position() < PART_BYTES) {
                return CompletableFuture.completedFuture(null);
            }
            CompletableFuture<Void> sent = sendPart();
            if (!sent.isDone() || sent.isCompletedExceptionally()) {
                return sent.thenCompose(nothing -> take(bytes));
            }
        }
    }

    private void fill(ByteBuffer bytes) {
        int count = Math.min(bytes.remaining(), PART_BYTES - buffer.position());
        if (count > buffer.remaining()) {
            int size = Math.max(buffer.position() + count, (int) Math.min(PART_BYTES, 2L * buffer.capacity()));
            buffer = ByteBuffer.allocate(size).put(buffer.flip());
        }
        buffer.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
    }

    private CompletableFuture<Void> sendPart() {
        if (parts.size() == MAX_PARTS) {
            return CompletableFuture.failedFuture(new StoreException(
                    StoreException.Kind.INVALID, "an object has at most " + MAX_BYTES + " bytes: '" + key + "'"));
        }
        ByteBuffer content = buffer.flip();
        int number = parts.size() + 1;
        return begun().thenCompose(upload -> calls.repeat(
                        gate,
                        "write part " + number + " of '" + key + "'",
                        () -> client.uploadPart(
                                requests.part(key, upload, number, content.remaining()),
                                AsyncRequestBody.fromRemainingByteBufferUnsafe(content.duplicate()))))
                .thenAccept(answer -> {
                    parts.add(CompletedPart.builder()
                            .partNumber(number)
                            .eTag(answer.eTag())
                            .build());
                    // A request that was given up may still be reading the old one.
                    buffer = ByteBuffer.allocate(FIRST_BUFFER_BYTES);
                });
    }

    private CompletableFuture<String> begun() {
        String known = uploadId;
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        return calls.repeat(
                        gate,
                        "begin the upload of '" + key + "'",
                        () -> client.createMultipartUpload(requests.beginUpload(key, token)))
                .thenApply(answer -> {
                    uploadId = answer.uploadId();
                    return answer.uploadId();
                });
    }

    @Override
    public CompletableFuture<PutOutcome> commit() {
        if (ended) {
            return hasEnded();
        }
        ended = true;
        if (uploadId == null) {
            return S3Calls.forCallers(store.put(key, buffer.flip()));
        }
        CompletableFuture<Void> last = buffer.position() == 0 ? CompletableFuture.completedFuture(null) : sendPart();
        return S3Calls.forCallers(
                last.thenCompose(nothing -> begun()).thenCompose(this::complete).whenComplete((outcome, thrown) -> {
                    if (outcome != PutOutcome.WRITTEN && outcome != PutOutcome.OUTCOME_UNKNOWN) {
                        drop();
                    }
                }));
    }

    private CompletableFuture<PutOutcome> complete(String upload) {
        List<CompletedPart> all = List.copyOf(parts);
        return new ConditionalPut(
                        calls,
                        gate,
                        "complete the upload of '" + key + "'",
                        () -> client.completeMultipartUpload(requests.complete(key, upload, all)),
                        () -> store.found(key, token))
                .run();
    }

    @Override
    public void abort() {
        if (!ended) {
            ended = true;
            drop();
        }
    }

    /** What is not dropped here costs space, unseen, until the bucket's own rule removes it. */
    private void drop() {
        String upload = uploadId;
        if (upload != null) {
            var unused = calls.repeat(
                    gate,
                    "abort the upload of '" + key + "'",
                    () -> client.abortMultipartUpload(requests.abort(key, upload)));
        }
    }

    private <T> CompletableFuture<T> hasEnded() {
        return CompletableFuture.failedFuture(
                new StoreException(StoreException.Kind.INVALID, "the upload of '" + key + "' has ended"));
    }
}
