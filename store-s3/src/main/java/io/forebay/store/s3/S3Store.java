package io.forebay.store.s3;

import io.forebay.model.Retry;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreCapabilities;
import io.forebay.store.StoreException;
import io.forebay.store.s3.ConditionalPut.Found;
import io.forebay.store.s3.S3Failure.Meaning;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/** A {@link Store} in a bucket. Thread-safe. Nothing here blocks; what the SDK does before it sends runs on the executor. */
final class S3Store implements Store {

    /** What S3 takes in one PUT. */
    private static final long MAX_PUT_BYTES = 5L << 30;

    private static final int MAX_PAGE = 1_000;

    private final S3Config config;
    private final S3AsyncClient client;
    private final S3Calls calls;
    private final S3Requests requests;
    /** Apart from each other, so that those who read old data never delay an acknowledgement. */
    private final RequestGate writes = new RequestGate(S3Connection.WRITES_AT_ONCE);

    private final RequestGate reads = new RequestGate(S3Connection.READS_AT_ONCE);
    private final Runnable end;
    private volatile boolean closed;

    S3Store(S3Config config, S3AsyncClient client, S3Calls calls, Runnable end) {
        this.end = end;
        this.config = config;
        this.client = client;
        this.calls = calls;
        this.requests = new S3Requests(config);
    }

    @Override
    public StoreCapabilities capabilities() {
        return new StoreCapabilities(false, Math.min(MAX_PUT_BYTES, S3Upload.MAX_BYTES));
    }

    @Override
    public String exclusiveMeans() {
        return "the header 'If-None-Match: *' on PUT";
    }

    @Override
    public CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content) {
        return closed ? refused() : S3Calls.forCallers(put(key, content.duplicate()));
    }

    /** Creates the object in one request. Fails with an {@link S3Failure}. */
    CompletableFuture<PutOutcome> put(ObjectKey key, ByteBuffer content) {
        String token = calls.token();
        return new ConditionalPut(
                        calls,
                        writes,
                        "put '" + key + "'",
                        () -> client.putObject(
                                requests.put(key, content, token),
                                AsyncRequestBody.fromRemainingByteBufferUnsafe(content.duplicate())),
                        () -> look(key, token, content))
                .run();
    }

    /** What lies under the key after a request of which nobody knows what it did. */
    private CompletableFuture<Found> look(ObjectKey key, String token, ByteBuffer content) {
        return found(key, token).thenCompose(found -> {
            if (found != Found.PERHAPS_OWN) {
                return CompletableFuture.completedFuture(found);
            }
            ByteBuffer there = ByteBuffer.allocate(content.remaining() + 1);
            return receive(key, 0, there)
                    .thenApply(count -> there.flip().equals(content) ? Found.PERHAPS_OWN : Found.OTHER);
        });
    }

    /** What the object's token says; PERHAPS_OWN if it has none. */
    CompletableFuture<Found> found(ObjectKey key, String token) {
        return head(key)
                .thenApply(object -> {
                    String there = object.metadata().get(S3Requests.TOKEN);
                    return there == null ? Found.PERHAPS_OWN : there.equals(token) ? Found.OWN : Found.OTHER;
                })
                .exceptionally(thrown -> {
                    if (Retry.unwrap(thrown) instanceof S3Failure failure && failure.meaning() == Meaning.NOT_FOUND) {
                        return Found.NOTHING;
                    }
                    throw thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
                });
    }

    private CompletableFuture<HeadObjectResponse> head(ObjectKey key) {
        return calls.repeat(reads, "look at '" + key + "'", () -> client.headObject(requests.head(key)));
    }

    @Override
    public CompletableFuture<ObjectUpload> beginUpload(ObjectKey key) {
        return closed
                ? refused()
                : CompletableFuture.completedFuture(new S3Upload(this, key, client, requests, calls, writes));
    }

    @Override
    public CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor) {
        return CompletableFuture.failedFuture(new StoreException(
                StoreException.Kind.INVALID, "objects in " + config.place() + " cannot be appended to: '" + key + "'"));
    }

    @Override
    public CompletableFuture<Long> seal(ObjectKey key) {
        return closed ? refused() : S3Calls.forCallers(head(key).thenApply(HeadObjectResponse::contentLength));
    }

    @Override
    public CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination) {
        if (position < 0) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.INVALID, "negative position " + position));
        }
        if (closed) {
            return refused();
        }
        if (!destination.hasRemaining()) {
            return S3Calls.forCallers(head(key).thenApply(object -> 0));
        }
        return S3Calls.forCallers(receive(key, position, destination));
    }

    private CompletableFuture<Integer> receive(ObjectKey key, long position, ByteBuffer destination) {
        int from = destination.position();
        return calls.repeat(reads, "read '" + key + "'", () -> {
                    ByteBuffer place = destination.duplicate().position(from);
                    RangeReceiver receiver = new RangeReceiver(place, position == 0);
                    return client.getObject(requests.get(key, position, place.remaining()), receiver)
                            .whenComplete((count, thrown) -> receiver.end());
                })
                .exceptionally(thrown -> {
                    if (Retry.unwrap(thrown) instanceof S3Failure failure && failure.meaning() == Meaning.BEHIND_END) {
                        return 0;
                    }
                    throw thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
                })
                .thenApply(count -> {
                    destination.position(from + count);
                    return count;
                });
    }

    /** All at once: a piece of an object costs a request, and many together take no longer than one. */
    @Override
    public CompletableFuture<Integer> readPieces(ObjectKey key, List<Piece> pieces) {
        List<Integer> wanted = new ArrayList<>();
        List<CompletableFuture<Integer>> running = new ArrayList<>();
        for (Piece piece : pieces) {
            wanted.add(piece.destination().remaining());
            running.add(read(key, piece.position(), piece.destination()));
        }
        return CompletableFuture.allOf(running.toArray(CompletableFuture<?>[]::new))
                .thenApply(nothing -> {
                    int total = 0;
                    for (int i = 0; i < running.size(); i++) {
                        int count = running.get(i).join();
                        total += count;
                        if (count < wanted.get(i)) {
                            break;
                        }
                    }
                    return total;
                });
    }

    @Override
    public CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit) {
        if (limit <= 0) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.INVALID, "a listing has a positive limit, not " + limit));
        }
        if (closed) {
            return refused();
        }
        if (!prefix.isEmpty() && !ObjectKey.isValid(prefix) && !ObjectKey.isValid(prefix + "x")) {
            return CompletableFuture.completedFuture(List.of()); // no key begins like that
        }
        String after = startAfter.compareTo(prefix) < 0 ? "" : startAfter;
        return S3Calls.forCallers(more(prefix, after, limit, new ArrayList<>()));
    }

    private CompletableFuture<List<ObjectStat>> more(String prefix, String after, int limit, List<ObjectStat> found) {
        int page = Math.min(MAX_PAGE, limit - found.size());
        return calls.repeat(
                        reads, "list '" + prefix + "'", () -> client.listObjectsV2(requests.list(prefix, after, page)))
                .thenCompose(answer -> {
                    String last = take(answer, after, found);
                    boolean complete =
                            found.size() >= limit || !Boolean.TRUE.equals(answer.isTruncated()) || last.equals(after);
                    return complete ? CompletableFuture.completedFuture(found) : more(prefix, last, limit, found);
                });
    }

    /** Takes what was listed; returns the last name of the page. Names that are none of ours are left out. */
    private String take(ListObjectsV2Response answer, String after, List<ObjectStat> found) {
        String last = after;
        for (S3Object object : answer.contents()) {
            String name = object.key().substring(config.prefix().length());
            if (ObjectKey.isValid(name)) {
                found.add(new ObjectStat(ObjectKey.of(name), object.size()));
            }
            last = name;
        }
        return last;
    }

    @Override
    public CompletableFuture<Void> delete(ObjectKey key) {
        if (closed) {
            return refused();
        }
        return S3Calls.forCallers(
                calls.repeat(writes, "delete '" + key + "'", () -> client.deleteObject(requests.delete(key)))
                        .thenAccept(answer -> {}));
    }

    @Override
    public void close() {
        closed = true;
        end.run();
    }

    private <T> CompletableFuture<T> refused() {
        return CompletableFuture.failedFuture(
                new StoreException(StoreException.Kind.INVALID, "the store in " + config.place() + " is closed"));
    }
}
