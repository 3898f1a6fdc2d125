package io.forebay.store.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The real disk with a limited capacity and syncs that fail when told. */
final class FailingDisk implements Disk {

    private final Disk disk = new SystemDisk();
    private final AtomicLong spaceBytes = new AtomicLong(Long.MAX_VALUE);
    private Runnable whenFull = () -> {};
    final AtomicInteger failingSyncs = new AtomicInteger();
    final AtomicInteger failingFolderSyncs = new AtomicInteger();
    final AtomicInteger blindLooks = new AtomicInteger();
    final List<Path> syncedFolders = new CopyOnWriteArrayList<>();

    /** From now on so many bytes can be written. */
    void space(long bytes) {
        spaceBytes.set(bytes);
    }

    /** Runs before a write is refused for want of space, and may make some. */
    void whenFull(Runnable action) {
        whenFull = action;
    }

    @Override
    public FileChannel create(Path file) throws IOException {
        return disk.create(file);
    }

    @Override
    public long write(FileChannel file, ByteBuffer[] bytes) throws IOException {
        for (ByteBuffer part : bytes) {
            if (part.hasRemaining()) {
                if (spaceBytes.get() == 0) {
                    whenFull.run();
                }
                int count = (int) Math.min(part.remaining(), spaceBytes.get());
                if (count == 0) {
                    throw new IOException("No space left on device");
                }
                ByteBuffer fitting = part.slice(part.position(), count);
                long written = disk.write(file, new ByteBuffer[] {fitting});
                part.position(part.position() + (int) written);
                spaceBytes.addAndGet(-written);
                return written;
            }
        }
        return 0;
    }

    @Override
    public void sync(FileChannel file) throws IOException {
        failIf(failingSyncs);
        disk.sync(file);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        failIf(failingFolderSyncs);
        disk.syncFolder(folder);
        syncedFolders.add(folder);
    }

    @Override
    public void link(Path file, Path name) throws IOException {
        disk.link(file, name);
    }

    @Override
    public boolean exists(Path name) throws IOException {
        failIf(blindLooks);
        return disk.exists(name);
    }

    private static void failIf(AtomicInteger failures) throws IOException {
        if (failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new IOException("Input/output error");
        }
    }
}
