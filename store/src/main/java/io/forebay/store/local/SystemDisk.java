package io.forebay.store.local;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The real disk. */
final class SystemDisk implements Disk {

    @Override
    public FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public long write(FileChannel file, ByteBuffer[] bytes) throws IOException {
        return file.write(bytes);
    }

    @Override
    public void sync(FileChannel file) throws IOException {
        file.force(false);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
                    names.force(true);
                    return;
                } catch (ClosedByInterruptException again) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void link(Path file, Path name) throws IOException {
        Files.createLink(name, file);
    }

    /**
     * Two calls of the system. {@code Files.exists} would make an exception with its stack for each name that is not there, and the journal
     * looks for one before every acknowledgement.
     */
    @Override
    public boolean exists(Path name) throws IOException {
        File file = name.toFile();
        if (file.exists()) {
            return true;
        }
        // Nothing is in a folder that is not there; what hides is behind the first folder that may not be entered.
        File folder = file.getParentFile();
        while (folder != null && !folder.exists()) {
            folder = folder.getParentFile();
        }
        if (folder != null && !folder.canExecute()) {
            throw new IOException("cannot tell whether " + name + " exists");
        }
        return false;
    }
}
