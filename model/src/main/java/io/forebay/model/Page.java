package io.forebay.model;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed block of off-heap memory with a count of its users. When the last one lets go it returns to whoever lent it.
 *
 * <p>Thread-safe counting; the bytes themselves follow the rule of the room that fills them (written once by one
 * thread, handed to others only after that).
 */
public final class Page implements Shared {

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

    @Override
    public void retain() {
        int before = users.getAndIncrement();
        if (before <= 0) {
            throw new IllegalStateException("a page that was let go cannot be used again");
        }
    }

    /**
     * Adds a user unless the page is free. For callers that hold no use themselves: on success they must check that the page
     * still is what they looked for (it may have been lent anew) and release it if not.
     */
    public boolean tryRetain() {
        int before = users.get();
        while (before > 0) {
            if (users.compareAndSet(before, before + 1)) {
                return true;
            }
            before = users.get();
        }
        return false;
    }

    /** Whether there is exactly one user. A hint: others may come and go at any time. */
    public boolean hasSingleUser() {
        return users.get() == 1;
    }

    @Override
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
