package io.forebay.model;

/**
 * Names a shard: a fixed group of partitions that live, move and recover together.
 *
 * <p>The class of a shard is part of its number: 0 is the root, 1–1023 are internal, 1024 and above are user shards.
 */
public record ShardId(int value) implements Comparable<ShardId> {

    private static final int FIRST_USER = 1024;

    public static final ShardId ROOT = new ShardId(0);

    public ShardId {
        if (value < 0) {
            throw new IllegalArgumentException("a shard's number is not negative: " + value);
        }
    }

    public static ShardId internal(int index) {
        if (index < 0 || index >= FIRST_USER - 1) {
            throw new IllegalArgumentException("there are at most 1023 internal shards, asked for index " + index);
        }
        return new ShardId(1 + index);
    }

    public static ShardId user(int index) {
        return new ShardId(Math.addExact(FIRST_USER, index));
    }

    public boolean isRoot() {
        return value == 0;
    }

    public boolean isInternal() {
        return value > 0 && value < FIRST_USER;
    }

    public boolean isUser() {
        return value >= FIRST_USER;
    }

    @Override
    public int compareTo(ShardId other) {
        return Integer.compare(value, other.value);
    }

    @Override
    public String toString() {
        return isRoot() ? "root" : isInternal() ? "internal-" + (value - 1) : "user-" + (value - FIRST_USER);
    }
}
