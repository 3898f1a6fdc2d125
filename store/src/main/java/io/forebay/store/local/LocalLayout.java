package io.forebay.store.local;

import io.forebay.store.ObjectKey;
import java.nio.file.Path;

/**
 * Where things are in the folder of a local store. See {@code docs/formats/store-local.md}.
 *
 * @param root the folder, absolute
 * @param lockName names the corner of this node
 */
record LocalLayout(Path root, String lockName) {

    private static final String SEALED = ".sealed";

    Path file(ObjectKey key) {
        return root.resolve(key.value());
    }

    /** The file that holds the sealed end. No key can name it: no part of a key starts with a dot. */
    Path marker(ObjectKey key) {
        return marker(file(key));
    }

    static Path marker(Path file) {
        return file.resolveSibling("." + file.getFileName() + SEALED);
    }

    /** What is not an object. */
    Path corner() {
        return root.resolve(".forebay");
    }

    Path format() {
        return corner().resolve("format");
    }

    /** What belongs to this node alone. */
    Path own() {
        return corner().resolve("nodes").resolve(lockName);
    }

    Path lock() {
        return own().resolve("lock");
    }

    Path pid() {
        return own().resolve("pid");
    }

    Path temporary() {
        return own().resolve("tmp");
    }

    Path reserve() {
        return own().resolve("reserve");
    }
}
