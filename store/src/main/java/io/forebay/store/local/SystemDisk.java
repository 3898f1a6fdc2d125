package io.forebay.store.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

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
     * One call of the system; a name that is not there costs an exception besides, 6 µs in all where the call alone is 2. {@code File.exists}
     * saves the exception but takes every error for "not there", and the journal looks for a fence before every acknowledgement: a writer
     * that cannot look must not acknowledge.
     */
    @Override
    public boolean exists(Path name) throws IOException {
        try {
            var unused = Files.readAttributes(name, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (NoSuchFileException notThere) {
            return false;
        }
    }
}
