package io.forebay.model;

/** Something that goes back to whoever lent it when its last user lets go. Thread-safe. */
public interface Shared {

    /** Adds a user. The caller must hold a use itself. */
    void retain();

    /** Ends one use. */
    void release();
}
