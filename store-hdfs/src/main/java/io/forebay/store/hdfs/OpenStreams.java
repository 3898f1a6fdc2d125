package io.forebay.store.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Files that stay open for reading, the least recently used closed first. Thread-safe.
 *
 * <p>A stream knows the length that the file had when it was opened, told by a DataNode if the file was still written. It is good for
 * bytes below that; what reads further, or wants to know the end of a file that was open then, opens it anew.
 */
final class OpenStreams {

    private final HdfsFolder folder;
    private final int limit;
    private final Object lock = new Object();
    /** In order of use, oldest first. Guarded by {@link #lock}. */
    private final Map<String, OpenStream> streams = new LinkedHashMap<>(64, 0.75f, true);

    OpenStreams(HdfsFolder folder, int limit) {
        this.folder = folder;
        this.limit = limit;
    }

    /**
     * A stream in use by the caller until {@link OpenStream#close}. Blocks.
     *
     * @param end what must lie within it, unless the file is shorter
     * @param endCounts whether the caller will take the stream's length for the end of the object
     */
    OpenStream use(String path, long end, boolean endCounts) throws IOException {
        synchronized (lock) {
            OpenStream known = streams.get(path);
            if (known != null && (known.complete || (!endCounts && end <= known.length))) {
                known.users++;
                return known;
            }
        }
        OpenStream fresh = open(path);
        synchronized (lock) {
            OpenStream old = streams.put(path, fresh);
            if (old != null) {
                old.retire();
            }
            fresh.users++;
            shrink();
        }
        return fresh;
    }

    /** Whether the file is open, or was a moment ago. */
    boolean knows(String path) {
        synchronized (lock) {
            return streams.containsKey(path);
        }
    }

    private OpenStream open(String path) throws IOException {
        // Asked before: a file that was closed then has its last length.
        boolean complete = folder.client().isFileClosed(path);
        FSDataInputStream in = folder.fileSystem().open(new Path(path));
        if (in instanceof HdfsDataInputStream hdfs) {
            return new OpenStream(hdfs, hdfs.getVisibleLength(), complete);
        }
        in.close();
        throw new IOException("not a stream of HDFS: " + in.getClass().getName());
    }

    /** Makes the next user open the file anew. */
    void forget(String path) {
        synchronized (lock) {
            OpenStream stream = streams.remove(path);
            if (stream != null) {
                stream.retire();
            }
        }
    }

    void closeAll() {
        synchronized (lock) {
            streams.values().forEach(OpenStream::retire);
            streams.clear();
        }
    }

    private void shrink() {
        Iterator<OpenStream> oldest = streams.values().iterator();
        while (streams.size() > limit && oldest.hasNext()) {
            OpenStream stream = oldest.next();
            if (stream.users == 0) {
                oldest.remove();
                stream.retire();
            }
        }
    }

    /** One opened file. Several threads may read it at once. */
    final class OpenStream implements AutoCloseable {

        private final HdfsDataInputStream in;
        private final long length;
        private final boolean complete;
        /** Guarded by {@link #lock}, like the next. */
        private int users;

        private boolean retired;

        OpenStream(HdfsDataInputStream in, long length, boolean complete) {
            this.in = in;
            this.length = length;
            this.complete = complete;
        }

        /** Reads until the destination is full or the length is reached. Returns the number of bytes. */
        int read(long position, ByteBuffer destination) throws IOException {
            int wanted = (int) Math.max(0, Math.min(destination.remaining(), length - position));
            ByteBuffer part = destination.slice(destination.position(), wanted);
            while (part.hasRemaining()) {
                int count = in.read(position + part.position(), part);
                if (count <= 0) {
                    throw new IOException("the file ends at " + (position + part.position()) + " instead of " + length);
                }
            }
            destination.position(destination.position() + wanted);
            return wanted;
        }

        /** Whether the file was closed without any byte. */
        boolean isEmpty() {
            return complete && length == 0;
        }

        /** Ends this use. */
        @Override
        public void close() {
            synchronized (lock) {
                users--;
                closeIfUnused();
            }
        }

        private void retire() {
            retired = true;
            closeIfUnused();
        }

        private void closeIfUnused() {
            if (retired && users == 0) {
                closeQuietly(in);
            }
        }
    }

    private static void closeQuietly(@Nullable FSDataInputStream in) {
        try {
            if (in != null) {
                in.close();
            }
        } catch (IOException nothingIsLost) {
            // It was open for reading only.
        }
    }
}
