package io.forebay.store;

import io.forebay.model.SharedFile;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A shared store of named, write-once objects.
 *
 * <p>Expected results are outcomes (values); what should not happen completes the future with a {@link StoreException},
 * whose kind tells the caller what to do. Buffers given to a method must not change until its future completes; where a
 * method takes bytes, the buffers' own positions stay as they were.
 *
 * <p>No object's key may be the folder of another's ({@code a} beside {@code a/b}): a back end may refuse the second one
 * with INVALID.
 */
public interface Store extends AutoCloseable {

    /** What this back end can do beyond the common contract. */
    StoreCapabilities capabilities();

    /** By what one of several writers of a name wins, for the message that this store does not heed it; empty: nothing to name. */
    default String exclusiveMeans() {
        return "";
    }

    /**
     * What a probe of this store is about, as a part of a key: the servers, and how they are spoken to. One that has passed lately, from whatever machine, is then taken
     * for this start's as well. Empty where each start tries for itself.
     */
    default String probed() {
        return "";
    }

    /** How large the volume is that the objects lie on; empty where there is no such limit or nobody can tell. */
    default CompletableFuture<Optional<StoreSpace>> space() {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    /**
     * Creates the object with exactly these bytes, durably, unless the key is taken. All bytes become visible at once
     * or none. Exactly one of several racing callers is told {@link PutOutcome#WRITTEN}.
     */
    CompletableFuture<PutOutcome> putIfAbsent(ObjectKey key, ByteBuffer content);

    /**
     * Like {@link #putIfAbsent} for content that is made piece by piece. Nothing is visible before {@link
     * ObjectUpload#commit}; an upload that never commits leaves nothing that a reader or a listing sees.
     */
    CompletableFuture<ObjectUpload> beginUpload(ObjectKey key);

    /**
     * Creates an empty object exclusively and opens it for appending. Only where {@link StoreCapabilities#append}.
     *
     * @param successor the key whose existence fences this writer: after each flush and before it reports success, a
     *     back end without leases looks for it and answers {@link AppendOutcome.Fenced} if it is there. One with leases may report
     *     success until the object is {@linkplain #seal sealed}, never afterwards, and looks for it to tell fenced from failed
     */
    CompletableFuture<CreateOutcome> createAppender(ObjectKey key, ObjectKey successor);

    /**
     * Fixes the end of an object that may still have a writer, and returns it: the number of readable bytes. Whoever
     * calls first or later gets the same end; no read that starts after this completed sees a byte behind it; everything
     * before it is as durable as an acknowledgement; its writer is told nothing durable that is not before it. The caller must have
     * put the successor's tombstone before: a local folder fences by it.
     * An object made by {@link #putIfAbsent} is complete by itself: its end is its size.
     *
     * @return fails with NOT_FOUND if there is no such object
     */
    CompletableFuture<Long> seal(ObjectKey key);

    /**
     * Reads up to {@code destination.remaining()} bytes from {@code position} into {@code destination}, whose position
     * advances. Completes with the number of bytes read; fewer than asked only at the object's (current or sealed) end;
     * 0 at or behind it. Fails with NOT_FOUND if there is no such object.
     */
    CompletableFuture<Integer> read(ObjectKey key, long position, ByteBuffer destination);

    /**
     * Reads pieces of one object that are known to lie before its end, because they were acknowledged or the end was fixed behind them: so
     * unlike with {@link #read} nobody has to look for the end. Completes with the number of bytes read; fewer than all only if the object
     * has lost its end: then nothing of the pieces after that counts.
     */
    default CompletableFuture<Integer> readPieces(ObjectKey key, List<Piece> pieces) {
        CompletableFuture<Integer> all = CompletableFuture.completedFuture(0);
        int expected = 0;
        for (Piece piece : pieces) {
            int before = expected;
            expected += piece.destination().remaining();
            all = all.thenCompose(done -> done < before
                    ? CompletableFuture.completedFuture(done)
                    : read(key, piece.position(), piece.destination()).thenApply(read -> done + read));
        }
        return all;
    }

    /**
     * A piece of an object to be read.
     *
     * @param position of its first byte
     * @param destination where it goes; what remains in it is the piece's length, its position advances
     */
    record Piece(long position, ByteBuffer destination) {}

    /**
     * The object as an open file of this machine, if the back end keeps it as one and has it open. For bytes that were read
     * before and only have to be passed on: the system sends them from there. What lies behind the object's end must not be used. Never blocks.
     * The caller ends its use.
     */
    default Optional<SharedFile> openFile(ObjectKey key) {
        return Optional.empty();
    }

    /**
     * The objects whose key starts with {@code prefix}, in order of their keys, after {@code startAfter} (exclusive, empty
     * for the beginning), at most {@code limit}. An object whose creation was acknowledged before the call is in it. The size
     * of an object that is being appended to may be behind.
     */
    CompletableFuture<List<ObjectStat>> list(String prefix, String startAfter, int limit);

    /** Removes the object; success also if there was none. When the future completes no listing shows it any more. */
    CompletableFuture<Void> delete(ObjectKey key);

    /** Ends all work and frees what this process holds. Objects stay. */
    @Override
    void close();
}
