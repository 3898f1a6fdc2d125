package io.forebay.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map from 64-bit numbers to objects that makes no object for a key: lookups on the way of a batch allocate nothing.
 *
 * <p>Open addressing with linear probing, at most half full. Owned by one thread. Iteration order means nothing.
 */
public final class LongMap<V> {

    private static final int FIRST_SLOTS = 8;

    private long[] keys = new long[FIRST_SLOTS];
    private @Nullable Object[] values = new @Nullable Object[FIRST_SLOTS];
    private int size;

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public @Nullable V get(long key) {
        return at(slotOf(key));
    }

    public void put(long key, V value) {
        int slot = slotOf(key);
        boolean taken = values[slot] != null;
        keys[slot] = key;
        values[slot] = value;
        if (!taken && ++size * 2 > values.length) {
            grow();
        }
    }

    /** Harmless if the key is not there. */
    public void remove(long key) {
        int slot = slotOf(key);
        boolean taken = values[slot] != null;
        if (taken) {
            close(slot);
            size--;
        }
    }

    /** Removes all values for which the condition holds and returns how many. */
    public int removeIf(Predicate<? super V> condition) {
        int before = size;
        for (long key : sortedKeys()) {
            V value = get(key);
            if (value != null && condition.test(value)) {
                remove(key);
            }
        }
        return before - size;
    }

    /** All values at this moment, in no order. */
    public List<V> values() {
        List<V> all = new ArrayList<>(size);
        for (int slot = 0; slot < values.length; slot++) {
            V value = at(slot);
            if (value != null) {
                all.add(value);
            }
        }
        return all;
    }

    /** All keys at this moment, ascending. */
    public long[] sortedKeys() {
        long[] all = new long[size];
        int n = 0;
        for (int slot = 0; slot < values.length; slot++) {
            if (values[slot] != null) {
                all[n++] = keys[slot];
            }
        }
        Arrays.sort(all);
        return all;
    }

    /** Empties a slot and moves up the entries behind it that probing would no longer reach. */
    private void close(int freed) {
        int mask = values.length - 1;
        int gap = freed;
        values[gap] = null;
        for (int slot = (gap + 1) & mask; values[slot] != null; slot = (slot + 1) & mask) {
            int home = spread(keys[slot]) & mask;
            if (((slot - home) & mask) >= ((slot - gap) & mask)) {
                keys[gap] = keys[slot];
                values[gap] = values[slot];
                values[slot] = null;
                gap = slot;
            }
        }
    }

    private void grow() {
        long[] oldKeys = keys;
        @Nullable Object[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new @Nullable Object[oldKeys.length * 2];
        for (int slot = 0; slot < oldKeys.length; slot++) {
            if (oldValues[slot] != null) {
                int to = slotOf(oldKeys[slot]);
                keys[to] = oldKeys[slot];
                values[to] = oldValues[slot];
            }
        }
    }

    /** Where the key is, or the free slot where it belongs. */
    private int slotOf(long key) {
        int mask = values.length - 1;
        int slot = spread(key) & mask;
        while (values[slot] != null && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    @SuppressWarnings("unchecked") // only put writes values, and it takes a V
    private @Nullable V at(int slot) {
        return (V) values[slot];
    }

    private static int spread(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32);
    }
}
