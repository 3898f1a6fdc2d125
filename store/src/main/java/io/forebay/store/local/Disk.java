package io.forebay.store.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * The calls to the disk on which durability rests: the port to a thing that fails, fills up and forgets. Thread-safe.
 */
interface Disk {

    /**
     * Makes a new file, to be written from its beginning.
     *
     * @throws FileAlreadyExistsException if anything has this name
     */
    FileChannel create(Path file) throws IOException;

    /** Writes some of the bytes at the channel's position, moving positions; returns how many. */
    long write(FileChannel file, ByteBuffer[] bytes) throws IOException;

    /** Brings the content and size of the file to the disk. */
    void sync(FileChannel file) throws IOException;

    /** Brings the names in the folder to the disk. */
    void syncFolder(Path folder) throws IOException;

    /**
     * Gives the file a second name.
     *
     * @throws FileAlreadyExistsException if anything has that name
     */
    void link(Path file, Path name) throws IOException;

    /** Whether anything has this name; fails if that cannot be told. */
    boolean exists(Path name) throws IOException;

    /** Writes all bytes. */
    default void writeAll(FileChannel file, ByteBuffer[] bytes) throws IOException {
        long left = 0;
        for (ByteBuffer part : bytes) {
            left += part.remaining();
        }
        while (left > 0) {
            left -= write(file, bytes);
        }
    }
}
