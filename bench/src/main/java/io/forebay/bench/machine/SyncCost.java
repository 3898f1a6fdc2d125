package io.forebay.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the disk itself asks for one durable write: bytes appended to a file, then {@code fdatasync}. A disk that rests between two writes takes longer than one that
 * is kept busy, and more bytes take longer than few, so it is measured at the pace and with the size of the load that it is compared with.
 *
 * @param p50Ms median in milliseconds
 * @param p99Ms 99th percentile in milliseconds
 */
public record SyncCost(double p50Ms, double p99Ms) {
    private static final int ROUNDS = 500;
    private static final int WARM_ROUNDS = 50;

    /**
     * Measures in a folder, on a file that is deleted afterwards.
     *
     * @param pauseMs time between two writes, in milliseconds
     * @param writeBytes of each write
     */
    public static SyncCost measure(Path folder, int pauseMs, int writeBytes) throws IOException {
        Path file = Files.createTempFile(folder, "sync", ".probe");
        double[] millis = new double[ROUNDS];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(writeBytes);
            for (int i = -WARM_ROUNDS; i < ROUNDS; i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMs));
                long start = System.nanoTime();
                bytes.clear();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(false);
                if (i >= 0) {
                    millis[i] = (System.nanoTime() - start) / 1e6;
                }
            }
        } finally {
            Files.deleteIfExists(file);
        }
        Arrays.sort(millis);
        return new SyncCost(millis[ROUNDS / 2], millis[ROUNDS * 99 / 100]);
    }
}
