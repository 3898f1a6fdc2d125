package io.forebay.conformance.harness;

/** A key and a value, as a producer sends them. The arrays are shared and never changed. Immutable by agreement. */
public final class KeyedRecord {

    private final byte[] key;
    private final byte[] value;

    /** Takes both arrays as they are, without a copy. */
    public KeyedRecord(byte[] key, byte[] value) {
        this.key = key;
        this.value = value;
    }

    /** The key's bytes; not to be changed. */
    public byte[] key() {
        return key;
    }

    /** The value's bytes; not to be changed. */
    public byte[] value() {
        return value;
    }
}
