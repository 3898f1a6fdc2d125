package io.forebay.store.local;

import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps one node from being started twice on a folder, by a lock that ends with the process.
 *
 * <p>The lock is POSIX's: closing <em>any</em> channel of this process on the lock file drops it. So the file is opened
 * once per process (what is locked is noted in {@link #LOCKED}) and the number of the process stands in a file beside it.
 * Nothing else rests on this lock.
 */
final class StartGuard implements AutoCloseable {

    /** What this process has locked. Static, because the lock belongs to the process. */
    private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private StartGuard(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static StartGuard lock(LocalLayout layout) throws IOException {
        Path path = layout.lock();
        if (!LOCKED.add(path)) {
            throw inUse(layout, "this process");
        }
        try {
            return new StartGuard(path, lockFile(layout));
        } catch (IOException | RuntimeException failed) {
            LOCKED.remove(path);
            throw failed;
        }
    }

    private static FileChannel lockFile(LocalLayout layout) throws IOException {
        FileChannel channel = FileChannel.open(layout.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(layout, "process " + owner(layout));
            }
            Files.writeString(layout.pid(), ProcessHandle.current().pid() + "\n");
            return channel;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException endsWithTheProcess) {
            // The lock ends with the process at the latest.
        } finally {
            LOCKED.remove(path);
        }
    }

    private static String owner(LocalLayout layout) throws IOException {
        try {
            return Files.readString(layout.pid()).strip();
        } catch (NoSuchFileException justStarting) {
            return "(unknown)";
        }
    }

    private static StoreException inUse(LocalLayout layout, String by) {
        return new StoreException(
                StoreException.Kind.INVALID,
                "folder " + layout.root() + " is in use by " + by
                        + (layout.lockName().equals("node") ? "" : " as '" + layout.lockName() + "'"));
    }
}
