package io.forebay.store.local;

import io.forebay.store.StoreException;
import java.util.Map;

/**
 * The settings of a local store.
 *
 * @param sync {@code store.local.sync}: when an append counts as durable
 * @param reserveBytes {@code store.local.reserve.bytes}: space kept back for the last writes on a full disk; 0: none
 * @param lockName {@code store.local.lock.name}: who may not be started twice on this folder. It is no lock on the data:
 *     nodes with different names may share a folder on one machine
 * @param openFiles {@code store.local.open.files}: how many files stay open for reading
 * @param uncheckedBytes {@code store.local.unchecked.bytes}: how much of what this process wrote last may be passed on without a second check
 */
record LocalConfig(Sync sync, long reserveBytes, String lockName, int openFiles, long uncheckedBytes) {

    /** When an append counts as durable. */
    enum Sync {
        /** After the disk has it. */
        ALWAYS,
        /** After the operating system has it: survives a killed process, not a power loss. */
        OS
    }

    private static final long DEFAULT_RESERVE_BYTES = 32L << 20;
    private static final int DEFAULT_OPEN_FILES = 256;
    private static final long DEFAULT_UNCHECKED_BYTES = 4L << 30;

    LocalConfig {
        if (reserveBytes < 0) {
            throw invalid("store.local.reserve.bytes", Long.toString(reserveBytes), "0 or more");
        }
        if (openFiles < 1) {
            throw invalid("store.local.open.files", Integer.toString(openFiles), "1 or more");
        }
        if (uncheckedBytes < 0) {
            throw invalid("store.local.unchecked.bytes", Long.toString(uncheckedBytes), "0 or more");
        }
        if (!lockName.matches("[a-z0-9_-]{1,64}")) {
            throw invalid("store.local.lock.name", lockName, "1 to 64 of a-z, 0-9, _ and -");
        }
    }

    static LocalConfig of(Map<String, String> settings) {
        String sync = settings.getOrDefault("store.local.sync", "always");
        if (!sync.equals("always") && !sync.equals("os")) {
            throw invalid("store.local.sync", sync, "always or os");
        }
        return new LocalConfig(
                sync.equals("os") ? Sync.OS : Sync.ALWAYS,
                number(settings, "store.local.reserve.bytes", DEFAULT_RESERVE_BYTES),
                settings.getOrDefault("store.local.lock.name", "node"),
                (int) Math.min(100_000, number(settings, "store.local.open.files", DEFAULT_OPEN_FILES)),
                number(settings, "store.local.unchecked.bytes", DEFAULT_UNCHECKED_BYTES));
    }

    private static long number(Map<String, String> settings, String name, long preset) {
        String text = settings.get(name);
        if (text == null) {
            return preset;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notANumber) {
            throw invalid(name, text, "a whole number");
        }
    }

    private static StoreException invalid(String name, String value, String expected) {
        return new StoreException(
                StoreException.Kind.INVALID, "bad value '" + value + "' for '" + name + "': expected " + expected);
    }
}
