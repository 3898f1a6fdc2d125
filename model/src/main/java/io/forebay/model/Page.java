package io.forebay.model;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed block of off-heap memory with a count of its users. When the last one lets go it returns to whoever lent it.
 *
 * <p>Thread-safe counting; the bytes themselves follow the rule of the room that fills them (written once by one
 * thread, handed to others only after that).
 */
public final class Page {

    private final ByteBuffer bytes;
    private final AtomicInteger users = new AtomicInteger(1);
    private final java.util.function.Consumer<Page> whenFree;

    /**
     * @param bytes the memory, position 0, limit = size
     * @param whenFree called once each time the last user lets go, on that user's thread
     */
    public Page(ByteBuffer bytes, java.util.function.Consumer<Page> whenFree) {
        this.bytes = bytes;
        this.whenFree = whenFree;
    }

    /** The whole memory as an independent view: position and limit of the result are the caller's own. */
    public ByteBuffer view() {
        return bytes.duplicate();
    }

    /** {@code length} bytes from {@code from} as a read-write view. The caller must hold a use of this page. */
    public ByteBuffer slice(int from, int length) {
        return bytes.slice(from, length);
    }

    public int sizeBytes() {
        return bytes.capacity();
    }

    /** Adds a user. The caller must hold one itself. */
    public void retain() {
        int before = users.getAndIncrement();
        if (before <= 0) {
            throw new IllegalStateException("a page that was let go cannot be used again");
        }
    }

    /** Ends one use. */
    public void release() {
        int left = users.decrementAndGet();
        if (left == 0) {
            whenFree.accept(this);
        } else if (left < 0) {
            throw new IllegalStateException("a page was released more often than it was used");
        }
    }

    /** Makes a page that came back usable again, with one user. Only its lender calls this. */
    public void relend() {
        if (!users.compareAndSet(0, 1)) {
            throw new IllegalStateException("only a free page can be lent");
        }
    }
}
