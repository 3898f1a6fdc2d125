package io.forebay.model;

import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** An open file of this machine with a count of its users. When the last one lets go whoever opened it may close it. Thread-safe. */
public final class SharedFile implements Shared {

    private final String name;
    private final FileChannel channel;
    private final Optional<FileMemory> own;
    private final Runnable whenFree;
    private final AtomicInteger users = new AtomicInteger(1);

    /**
     * A file with one user.
     *
     * @param name of the object that it holds, for messages
     * @param own present if it is {@link #own}: what of it lies in memory
     * @param whenFree called once, on the last user's thread
     */
    public SharedFile(String name, FileChannel channel, Optional<FileMemory> own, Runnable whenFree) {
        this.name = name;
        this.channel = channel;
        this.own = own;
        this.whenFree = whenFree;
    }

    /** The object that it holds. */
    public String name() {
        return name;
    }

    /** Whether this very process wrote all of it lately and nobody has changed it since: what was checked then need not be checked again. */
    public boolean own() {
        return own.isPresent();
    }

    /**
     * Whether a range of an {@link #own} file lies in the system's memory: then it can be sent as it is and at once. What has left memory comes back from a disk, for which the
     * sender would wait, and which may have changed it.
     *
     * @param position of the first byte
     * @param length in bytes
     */
    public boolean ownInMemory(long position, int length) {
        return own.isPresent() && own.get().holds(position, length);
    }

    /** To read at positions. Do not close it. */
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void retain() {
        if (users.getAndIncrement() <= 0) {
            throw new IllegalStateException("a file that was let go cannot be used again");
        }
    }

    @Override
    public void release() {
        int left = users.decrementAndGet();
        if (left == 0) {
            whenFree.run();
        } else if (left < 0) {
            throw new IllegalStateException("a file was released more often than it was used");
        }
    }
}
