package io.forebay.testkit;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * One object of a {@link FaultyStore}: what readers see, and how much of it a crash would leave.
 *
 * <p>Kept true: {@code synced <= size}; once durable, the sealed end never changes and lies within what is synced.
 */
final class FaultyObject {

    private static final int UNSEALED = -1;

    /** Who writes it; unsynced bytes are at the mercy of that process. */
    final SimulatedProcess writer;

    /** Made whole, by a put: never sealed or written to. */
    final boolean whole;

    private byte[] bytes = new byte[0];
    private int size;
    private int synced;
    private int pinned;
    private int sealedEnd = UNSEALED;
    private boolean sealDurable;
    private boolean nameDurable;

    FaultyObject(SimulatedProcess writer, boolean whole) {
        this.writer = writer;
        this.whole = whole;
    }

    static FaultyObject whole(SimulatedProcess writer, byte[] content) {
        FaultyObject object = new FaultyObject(writer, true);
        object.write(content, content.length);
        object.syncTo(content.length);
        return object;
    }

    int size() {
        return size;
    }

    int synced() {
        return synced;
    }

    boolean sealed() {
        return sealedEnd != UNSEALED;
    }

    /** What a reader may see. */
    int readableEnd() {
        return sealed() ? sealedEnd : size;
    }

    byte[] read(long position, int length) {
        int end = readableEnd();
        if (position >= end) {
            return new byte[0];
        }
        int from = (int) position;
        return Arrays.copyOfRange(bytes, from, Math.min(end, from + length));
    }

    void write(byte[] more, int count) {
        if (size + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + count, 2 * size));
        }
        System.arraycopy(more, 0, bytes, size, count);
        size += count;
    }

    void syncTo(int end) {
        synced = Math.max(synced, Math.min(end, size));
    }

    /** A fencer has read this end and is about to sync it: the writer's process cannot lose it any more. */
    void pin(int end) {
        pinned = Math.max(pinned, end);
    }

    /** Fixes the end unless it is fixed. */
    void seal(int end) {
        if (!sealed()) {
            sealedEnd = end;
        }
    }

    void sealIsDurable() {
        sealDurable = true;
    }

    void nameIsDurable() {
        nameDurable = true;
    }

    boolean nameDurable() {
        return nameDurable;
    }

    /** The writer's process dies: nothing, all, or a part of what it did not sync is lost, or it turns to garbage. */
    void crash(RandomGenerator chance) {
        int safe = Math.max(synced, pinned);
        if (!whole && !sealed() && size > safe) {
            lose(safe, chance);
        }
    }

    /** All machines lose power. */
    void powerLoss(RandomGenerator chance) {
        pinned = 0;
        if (sealed() && !sealDurable && chance.nextBoolean()) {
            sealedEnd = UNSEALED;
        }
        sealDurable = sealed();
        if (size > synced) {
            lose(synced, chance);
        }
        synced = size;
    }

    private void lose(int safe, RandomGenerator chance) {
        switch (chance.nextInt(4)) {
            case 0 -> size = safe;
            case 1 -> size = safe + chance.nextInt(size - safe);
            case 2 -> {
                int from = safe + chance.nextInt(size - safe);
                for (int i = from; i < size; i++) {
                    bytes[i] = (byte) (chance.nextBoolean() ? 0 : chance.nextInt());
                }
            }
            default -> {
                // All of it survives.
            }
        }
    }
}
