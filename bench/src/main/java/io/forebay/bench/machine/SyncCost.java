package io.forebay.bench.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * What the disk itself asks for one durable write: 4 KiB appended to a file, then {@code fdatasync}.
 *
 * @param p50Ms median in milliseconds
 * @param p99Ms 99th percentile in milliseconds
 */
public record SyncCost(double p50Ms, double p99Ms) {
    private static final int WRITE_BYTES = 4096;
    private static final int ROUNDS = 500;
    private static final int WARM_ROUNDS = 50;

    /** Measures in a folder, on a file that is deleted afterwards. */
    public static SyncCost measure(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "sync", ".probe");
        double[] millis = new double[ROUNDS];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(WRITE_BYTES);
            for (int i = -WARM_ROUNDS; i < ROUNDS; i++) {
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
