package io.forebay.log.journal;

import io.forebay.log.batch.BatchView;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/** Record batches whose header is right and whose records are noise. */
final class TestBatches {

    static final int LEADER_EPOCH = 7;

    private TestBatches() {}

    static ByteBuffer batch(long baseOffset, int records, int bodyBytes, RandomGenerator random) {
        ByteBuffer b = ByteBuffer.allocate(bodyBytes);
        byte[] noise = new byte[bodyBytes];
        random.nextBytes(noise);
        b.put(noise).clear();
        b.putLong(0, baseOffset)
                .putInt(8, bodyBytes - BatchView.LENGTH_OVERHEAD)
                .putInt(12, LEADER_EPOCH);
        b.put(16, BatchView.MAGIC).putShort(21, (short) 0).putInt(23, records - 1);
        b.putLong(27, 1_000 + baseOffset).putLong(35, 2_000 + baseOffset);
        b.putLong(43, 5).putShort(51, (short) 3).putInt(53, (int) baseOffset).putInt(57, records);
        b.putInt(17, BatchView.computeCrc(b, 0));
        return b;
    }
}
