package io.forebay.log.shard;

import io.forebay.store.ObjectKey;

/** Gives out names for the objects that one owner of a shard makes: {@code shard/<id>/<epoch>/<unique>}. Owned by the shard loop. */
final class ObjectNames {

    private static final String SNAPSHOT = ".snapshot";

    private final String prefix;
    private final long salt;
    private long count;

    /** @param salt random, so that names differ from those of any other opening */
    ObjectNames(int shard, long epoch, long salt) {
        this.prefix = shardPrefix(shard) + ObjectKey.padded(epoch) + "/";
        this.salt = salt;
    }

    /** Prefix of everything that belongs to a shard. */
    static String shardPrefix(int shard) {
        return "shard/" + shard + "/";
    }

    /** The epoch in an object's name; −1 for manifests and what else is no data object. */
    static long epochOf(int shard, ObjectKey key) {
        String rest = key.value().substring(shardPrefix(shard).length());
        int slash = rest.indexOf('/');
        if (slash != ObjectKey.padded(0).length()) {
            return -1;
        }
        try {
            return Long.parseLong(rest.substring(0, slash));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    ObjectKey segment() {
        return ObjectKey.of(prefix + unique());
    }

    ObjectKey snapshot() {
        return ObjectKey.of(prefix + unique() + SNAPSHOT);
    }

    private String unique() {
        return hex(salt) + hex(count++);
    }

    private static String hex(long bits) {
        String digits = Long.toHexString(bits);
        return "0".repeat(16 - digits.length()) + digits;
    }
}
