package io.forebay.log.segment;

import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Reads the index of a segment from the store. */
public final class SegmentFooters {

    /** Read at once from an object's end: holds trailer and footer of most segments. */
    private static final int GUESS_BYTES = 32 << 10;

    private SegmentFooters() {}

    /**
     * Reads and checks trailer and footer. Completes on a thread of the store; fails with a StoreException: NOT_FOUND, CORRUPT,
     * INVALID, UNAVAILABLE.
     *
     * @param sizeBytes of the whole object
     */
    public static CompletableFuture<SegmentIndex> read(Store store, ObjectKey key, long sizeBytes) {
        if (sizeBytes < SegmentLayout.HEADER_BYTES + SegmentLayout.TRAILER_BYTES) {
            return CompletableFuture.failedFuture(damaged(key, "it has only " + sizeBytes + " bytes"));
        }
        int guess = (int) Math.min(sizeBytes, GUESS_BYTES);
        return readFully(store, key, sizeBytes - guess, guess).thenCompose(end -> {
            SegmentLayout.Trailer trailer = SegmentLayout.readTrailer(key, end, guess - SegmentLayout.TRAILER_BYTES);
            long footerEnd = sizeBytes - SegmentLayout.TRAILER_BYTES;
            if (trailer.footerLength() < 0 || trailer.footerPosition() != footerEnd - trailer.footerLength()) {
                return CompletableFuture.failedFuture(damaged(key, "its footer is not where it should be"));
            }
            long before = trailer.footerPosition() - (sizeBytes - guess);
            if (before >= 0) {
                return CompletableFuture.completedFuture(
                        parse(key, end.slice((int) before, trailer.footerLength()), trailer));
            }
            return readFully(store, key, trailer.footerPosition(), trailer.footerLength())
                    .thenApply(footer -> parse(key, footer, trailer));
        });
    }

    private static SegmentIndex parse(ObjectKey key, ByteBuffer footer, SegmentLayout.Trailer trailer) {
        if (SegmentLayout.crc(footer, 0, trailer.footerLength()) != trailer.footerCrc()) {
            throw damaged(key, "the checksum of its footer is wrong");
        }
        return SegmentIndex.parse(key, footer);
    }

    private static CompletableFuture<ByteBuffer> readFully(Store store, ObjectKey key, long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return store.read(key, position, bytes).thenApply(read -> {
            if (read != length) {
                throw damaged(key, "it ends at " + (position + read));
            }
            return bytes.flip();
        });
    }

    private static StoreException damaged(ObjectKey key, String reason) {
        return new StoreException(StoreException.Kind.CORRUPT, "segment " + key + " is damaged: " + reason);
    }
}
