package io.forebay.store.local;

import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

/** Reads objects, none of them behind its sealed end. Thread-safe; blocks. */
final class LocalReader {

    /** How often a read opens a file again that an interrupted thread closed. */
    private static final int MAX_REOPENS = 100;

    private final LocalLayout layout;
    private final OpenFiles openFiles;
    private final DiskExecutor executor;

    LocalReader(LocalLayout layout, OpenFiles openFiles, DiskExecutor executor) {
        this.layout = layout;
        this.openFiles = openFiles;
        this.executor = executor;
    }

    int read(ObjectKey key, long position, ByteBuffer destination) throws IOException {
        int from = destination.position();
        for (int attempt = 1; ; attempt++) {
            try (OpenFiles.OpenFile file = openFiles.use(layout.file(key))) {
                readFully(file.channel(), position, destination);
                // The marker is looked for after the bytes were read: one that came before them is surely seen.
                if (!file.sealed()) {
                    SealMarker.read(layout.marker(key)).ifPresent(file::remember);
                }
                if (file.sealed()) {
                    long allowed = Math.max(0, file.sealedEnd() - position);
                    destination.position((int) Math.min(destination.position(), from + allowed));
                }
                return destination.position() - from;
            } catch (ClosedChannelException interruptedByAnyThread) {
                destination.position(from);
                executor.checkOpen();
                var unused = Thread.interrupted();
                if (attempt == MAX_REOPENS) {
                    throw interruptedByAnyThread;
                }
            } catch (IOException failed) {
                destination.position(from);
                openFiles.forget(layout.file(key));
                if (DiskErrors.missing(layout.file(key), failed)) {
                    throw notFound(key);
                }
                throw failed;
            }
        }
    }

    static StoreException notFound(ObjectKey key) {
        return new StoreException(StoreException.Kind.NOT_FOUND, "no object '" + key + "'");
    }

    private static void readFully(FileChannel channel, long position, ByteBuffer destination) throws IOException {
        long at = position;
        while (destination.hasRemaining()) {
            int count = channel.read(destination, at);
            if (count < 0) {
                return;
            }
            at += count;
        }
    }
}
