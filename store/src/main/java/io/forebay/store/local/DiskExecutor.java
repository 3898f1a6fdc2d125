package io.forebay.store.local;

import io.forebay.store.BlockingWork;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * Blocking work on a disk. Thread-safe.
 *
 * <p>An interrupt would close any {@link java.nio.channels.FileChannel} it meets, so it waits until the work is done.
 */
final class DiskExecutor extends BlockingWork {

    /** With less space than this left, a failed write is taken for a full disk whatever the error says. */
    private static final long NO_SPACE_BYTES = 1 << 20;

    private final Path root;

    DiskExecutor(Path root, Executor executor) {
        super(root.toString(), executor);
        this.root = root;
    }

    @Override
    protected void around(Runnable work) {
        boolean interrupted = Thread.interrupted();
        try {
            work.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public StoreException translate(String action, IOException cause) {
        StoreException.Kind kind = full(cause) ? StoreException.Kind.FULL : StoreException.Kind.UNAVAILABLE;
        return new StoreException(kind, action + ": " + DiskErrors.reason(cause), cause);
    }

    /** Whether work failed because there is no space left. Its text may be in any language, so the space counts too. */
    boolean full(IOException cause) {
        if (DiskErrors.saysFull(cause)) {
            return true;
        }
        try {
            return Files.getFileStore(root).getUsableSpace() < NO_SPACE_BYTES;
        } catch (IOException cannotTell) {
            return false;
        }
    }
}
