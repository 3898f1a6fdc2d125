package io.forebay.store.local;

import io.forebay.model.FileMemory;
import io.forebay.model.SharedFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Files that stay open for reading, the least recently used closed first. Thread-safe. */
final class OpenFiles {

    private final int limit;
    private final Object lock = new Object();
    /** In order of use, oldest first. Guarded by {@link #lock}. */
    private final Map<Path, OpenFile> files = new LinkedHashMap<>(64, 0.75f, true);

    OpenFiles(int limit) {
        this.limit = limit;
    }

    /** A file in use by the caller until {@link OpenFile#close}. It is opened when its channel is first asked for. */
    OpenFile use(Path path) {
        synchronized (lock) {
            OpenFile file = files.computeIfAbsent(path, OpenFile::new);
            file.users++;
            shrink();
            return file;
        }
    }

    /**
     * A file for whoever passes its bytes on, if it is open: until the use ends it stays so, also when it is forgotten or deleted meanwhile.
     *
     * @param object see {@link SharedFile#name}
     * @param own what of it lies in memory, if it is {@link SharedFile#own}
     */
    Optional<SharedFile> share(Path path, String object, Optional<FileMemory> own) {
        synchronized (lock) {
            OpenFile file = files.get(path);
            FileChannel open = file == null ? null : file.openChannel();
            if (file == null || open == null) {
                return Optional.empty();
            }
            file.users++;
            return Optional.of(new SharedFile(object, open, own, file::close));
        }
    }

    /** Makes the next user open the file anew, for what has this name may be another file by now. */
    void forget(Path path) {
        synchronized (lock) {
            OpenFile file = files.remove(path);
            if (file != null) {
                file.forgotten = true;
                file.closeIfUnused();
            }
        }
    }

    /** Closes everything, also what is in use. */
    void closeAll() {
        synchronized (lock) {
            for (OpenFile file : files.values()) {
                file.forgotten = true;
                file.closeChannel();
            }
            files.clear();
        }
    }

    /** How many files are open or about to be. */
    int count() {
        synchronized (lock) {
            return files.size();
        }
    }

    private void shrink() {
        Iterator<OpenFile> oldest = files.values().iterator();
        while (files.size() > limit && oldest.hasNext()) {
            OpenFile file = oldest.next();
            if (file.users == 0) {
                oldest.remove();
                file.forgotten = true;
                file.closeIfUnused();
            }
        }
    }

    /** One file. Several threads may read it at once. */
    final class OpenFile implements AutoCloseable {

        private static final long UNKNOWN = -1;

        private final Path path;
        private final Object opening = new Object();
        /** Guarded by {@link #opening}. */
        private @Nullable FileChannel channel;
        /** Guarded by {@link #lock}. */
        private int users;
        /** Guarded by {@link #lock}. */
        private boolean forgotten;

        private volatile long sealedEnd = UNKNOWN;

        OpenFile(Path path) {
            this.path = path;
        }

        FileChannel channel() throws IOException {
            synchronized (opening) {
                FileChannel open = channel;
                if (open == null || !open.isOpen()) {
                    open = FileChannel.open(path, StandardOpenOption.READ);
                    channel = open;
                }
                return open;
            }
        }

        /** The channel if it is open. */
        private @Nullable FileChannel openChannel() {
            synchronized (opening) {
                FileChannel open = channel;
                return open != null && open.isOpen() ? open : null;
            }
        }

        boolean sealed() {
            return sealedEnd != UNKNOWN;
        }

        /** The end that a marker has fixed; only when {@link #sealed}. */
        long sealedEnd() {
            return sealedEnd;
        }

        void remember(long end) {
            sealedEnd = end;
        }

        /** Ends this use. */
        @Override
        public void close() {
            synchronized (lock) {
                users--;
                closeIfUnused();
            }
        }

        private void closeIfUnused() {
            if (forgotten && users == 0) {
                closeChannel();
            }
        }

        private void closeChannel() {
            synchronized (opening) {
                FileChannel open = channel;
                channel = null;
                if (open != null) {
                    try {
                        open.close();
                    } catch (IOException nothingIsLost) {
                        // It was open for reading only.
                    }
                }
            }
        }
    }
}
