package io.forebay.store.local;

import io.forebay.model.FileMemory;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the system holds of a file in memory, asked through a mapping whose bytes nobody touches ({@code mincore} on Linux: about a microsecond for 64 KiB). Needs the file to be the
 * process's own or writable for it. Thread-safe.
 *
 * <p>A mapping keeps the space of a deleted file, and Java ends it only with the buffer's collection. It is ended here at once, as far as this Java has a way.
 */
final class MappedFile implements FileMemory {

    private static final @Nullable MethodHandle UNMAP = unmap();

    private final MappedByteBuffer mapping;
    private boolean closed;

    private MappedFile(MappedByteBuffer mapping) {
        this.mapping = mapping;
    }

    /** The first bytes of a file; empty if they cannot be mapped. */
    static Optional<MappedFile> map(Path file, long sizeBytes) {
        if (sizeBytes > Integer.MAX_VALUE) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() < sizeBytes) {
                return Optional.empty(); // a mapping behind the end
            }
            return Optional.of(new MappedFile(channel.map(FileChannel.MapMode.READ_ONLY, 0, sizeBytes)));
        } catch (IOException | UnsupportedOperationException impossible) {
            return Optional.empty();
        }
    }

    @Override
    public synchronized boolean holds(long position, int length) {
        if (closed || position < 0 || length < 0 || position + length > mapping.capacity()) {
            return false;
        }
        return mapping.slice((int) position, length).isLoaded();
    }

    /** Afterwards it holds nothing. */
    synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (UNMAP != null) {
            try {
                UNMAP.invokeExact((ByteBuffer) mapping);
            } catch (Throwable leftToTheCollector) {
                if (leftToTheCollector instanceof Error error) {
                    throw error;
                }
            }
        }
    }

    private static @Nullable MethodHandle unmap() {
        try {
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(unsafe, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(instance.get(null));
        } catch (ReflectiveOperationException | RuntimeException otherJava) {
            return null;
        }
    }
}
