package io.forebay.store.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Space kept back for the last small writes on a full disk: tombstones, seals, manifests.
 *
 * <p>States: held → freed (the disk ran full) → held (there is space again). While it is freed nothing big may be
 * written, or it would eat what was freed. Thread-safe.
 */
final class Reserve {

    private static final Logger LOG = LoggerFactory.getLogger(Reserve.class);

    /** Free space beyond the reserve before it is made again, so that it does not come and go. */
    private static final long MARGIN_BYTES = 16L << 20;

    /** How long after an attempt to make it the next one comes. */
    private static final long RETRY_NANOS = 1_000_000_000L;

    private static final int CHUNK_BYTES = 1 << 20;

    private final Path file;
    private final long sizeBytes;
    private final Disk disk;
    private volatile boolean freed;
    /** Guarded by this. */
    private long lastAttemptNanos;

    Reserve(Path file, long sizeBytes, Disk disk) {
        this.file = file;
        this.sizeBytes = sizeBytes;
        this.disk = disk;
    }

    /** Whether the disk ran full and the reserve is in use. */
    boolean freed() {
        return freed;
    }

    /** Gives the space back for small writes. Returns whether there was any to give. */
    synchronized boolean free(long nowNanos) {
        if (sizeBytes == 0) {
            return false;
        }
        if (!freed) {
            LOG.error("the disk is full: only small writes go on, into the {} bytes kept back for that", sizeBytes);
        }
        freed = true;
        lastAttemptNanos = nowNanos;
        try {
            return Files.deleteIfExists(file);
        } catch (IOException failed) {
            LOG.warn("cannot free the reserve {}", file, failed);
            return false;
        }
    }

    /** Whether it is time to try {@link #make} again. Says so to one caller. */
    synchronized boolean worthATry(long nowNanos) {
        if (!freed || nowNanos - lastAttemptNanos < RETRY_NANOS) {
            return false;
        }
        lastAttemptNanos = nowNanos;
        return true;
    }

    /** Makes the reserve if there is space. Blocks. */
    synchronized void make() {
        try {
            if (sizeBytes == 0 || (Files.exists(file) && Files.size(file) == sizeBytes)) {
                freed = false;
                return;
            }
            Files.deleteIfExists(file);
            if (freed && Files.getFileStore(file.getParent()).getUsableSpace() < sizeBytes + MARGIN_BYTES) {
                return;
            }
            fill();
            if (freed) {
                LOG.info("there is space on the disk again");
            }
            freed = false;
        } catch (IOException failed) {
            if (!freed) {
                LOG.warn("cannot keep {} bytes back for a full disk: {}", sizeBytes, failed.toString());
            }
            freed = true;
            deleteQuietly();
        }
    }

    /** Noise, for a file system that compresses would keep zeros for nothing. */
    private void fill() throws IOException {
        byte[] noise = new byte[CHUNK_BYTES];
        new SplittableRandom(1).nextBytes(noise);
        try (FileChannel channel = disk.create(file)) {
            for (long left = sizeBytes; left > 0; left -= CHUNK_BYTES) {
                disk.writeAll(channel, new ByteBuffer[] {ByteBuffer.wrap(noise, 0, (int) Math.min(left, CHUNK_BYTES))});
            }
        }
    }

    private void deleteQuietly() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            LOG.warn("cannot remove {}", file, failed);
        }
    }
}
