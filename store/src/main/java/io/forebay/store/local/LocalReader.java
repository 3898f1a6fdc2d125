package io.forebay.store.local;

import io.forebay.store.ObjectKey;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.List;

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

    /**
     * Reads pieces; see {@link Store#readPieces}.
     *
     * @param lookForEnd whether they may reach behind an end that was fixed
     */
    int read(ObjectKey key, List<Store.Piece> pieces, boolean lookForEnd) throws IOException {
        int[] from = pieces.stream().mapToInt(p -> p.destination().position()).toArray();
        for (int attempt = 1; ; attempt++) {
            try (OpenFiles.OpenFile file = openFiles.use(layout.file(key))) {
                for (Store.Piece piece : pieces) {
                    readFully(file.channel(), piece.position(), piece.destination());
                }
                // The marker is looked for after the bytes were read: one that came before them is surely seen.
                if (lookForEnd && !file.sealed()) {
                    SealMarker.read(layout.marker(key)).ifPresent(file::remember);
                }
                return counted(pieces, from, file.sealed() ? file.sealedEnd() : Long.MAX_VALUE);
            } catch (ClosedChannelException interruptedByAnyThread) {
                reset(pieces, from);
                executor.checkOpen();
                var unused = Thread.interrupted();
                if (attempt == MAX_REOPENS) {
                    throw interruptedByAnyThread;
                }
            } catch (IOException failed) {
                reset(pieces, from);
                openFiles.forget(layout.file(key));
                if (DiskErrors.missing(layout.file(key), failed)) {
                    throw notFound(key);
                }
                throw failed;
            }
        }
    }

    /** Bytes of the pieces up to the first that ends early: because the file does, or because of the mark of its end. */
    private static int counted(List<Store.Piece> pieces, int[] from, long end) {
        int total = 0;
        boolean whole = true;
        for (int i = 0; i < from.length; i++) {
            Store.Piece piece = pieces.get(i);
            ByteBuffer bytes = piece.destination();
            long allowed = whole ? Math.max(0, end - piece.position()) : 0;
            bytes.position((int) Math.min(bytes.position(), from[i] + allowed));
            total += bytes.position() - from[i];
            whole &= !bytes.hasRemaining();
        }
        return total;
    }

    private static void reset(List<Store.Piece> pieces, int[] from) {
        for (int i = 0; i < from.length; i++) {
            pieces.get(i).destination().position(from[i]);
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
