package io.forebay.store.local;

import io.forebay.model.FileMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest files that this process wrote from their first to their last byte. Their bytes were checked when they came in and, being this young, mostly still lie in
 * the system's memory: reading those back to check them again finds nothing that sending them would not. Whether they do is told for each range ({@link MappedFile}). What else breaks
 * that is told by the time of the file's last change (content or attributes), which nobody can set: a file touched by anybody else is no longer ours.
 *
 * <p>Bounded in bytes and in age, so that what may have left memory and come back from the disk unnoticed is checked again. Thread-safe.
 */
final class OwnFiles {

    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

    private final long maxBytes;
    /** Oldest first. Guarded by itself. */
    private final Map<Path, Own> files = new LinkedHashMap<>();

    private long bytes;

    /** @param maxBytes of all files together; 0: none is ever told */
    OwnFiles(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    private record Own(FileTime changed, long bytes, long finishedNanos, MappedFile memory) {}

    /** Takes note of a file to which nobody writes any more. Asks the disk. */
    void finished(Path file, long sizeBytes, long nowNanos) {
        FileTime changed = sizeBytes > maxBytes ? null : changed(file);
        Optional<MappedFile> memory = changed == null ? Optional.empty() : MappedFile.map(file, sizeBytes);
        if (changed == null || memory.isEmpty()) {
            return;
        }
        synchronized (files) {
            forget(file);
            files.put(file, new Own(changed, sizeBytes, nowNanos, memory.get()));
            bytes += sizeBytes;
            Iterator<Path> oldest = List.copyOf(files.keySet()).iterator();
            while (bytes > maxBytes) {
                forget(oldest.next());
            }
        }
    }

    /**
     * If the file is one of them and as it was: what of it lies in memory. Asks the system, which knows this of every file in use without the disk.
     */
    Optional<FileMemory> unchanged(Path file, long nowNanos) {
        Own own;
        synchronized (files) {
            own = files.get(file);
        }
        if (own == null) {
            return Optional.empty();
        }
        if (nowNanos - own.finishedNanos() <= LONGEST_NANOS && own.changed().equals(changed(file))) {
            return Optional.of(own.memory());
        }
        forget(file);
        return Optional.empty();
    }

    void forget(Path file) {
        synchronized (files) {
            Own own = files.remove(file);
            if (own != null) {
                bytes -= own.bytes();
                own.memory().close();
            }
        }
    }

    void forgetAll() {
        synchronized (files) {
            List.copyOf(files.keySet()).forEach(this::forget);
        }
    }

    /** Null if that cannot be told. */
    private static @Nullable FileTime changed(Path file) {
        try {
            return (FileTime) Files.getAttribute(file, "unix:ctime");
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException unknown) {
            return null;
        }
    }
}
