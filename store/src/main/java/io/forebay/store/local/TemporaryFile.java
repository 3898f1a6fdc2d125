package io.forebay.store.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file without a final name yet. Closing removes the temporary name. Owned by one caller at a time. */
final class TemporaryFile implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TemporaryFile.class);

    private final Disk disk;
    private final Path path;
    private final FileChannel channel;

    TemporaryFile(Disk disk, Path path) throws IOException {
        this.disk = disk;
        this.path = path;
        this.channel = disk.create(path);
    }

    /** Adds all bytes; the buffer's position moves. */
    void write(ByteBuffer bytes) throws IOException {
        disk.writeAll(channel, new ByteBuffer[] {bytes});
    }

    void sync() throws IOException {
        disk.sync(channel);
    }

    /** Gives the file its final name as well. */
    void link(Path name) throws IOException {
        disk.link(path, name);
    }

    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(path);
        } catch (IOException failed) {
            LOG.warn("cannot remove the temporary file {}", path, failed);
        }
    }
}
