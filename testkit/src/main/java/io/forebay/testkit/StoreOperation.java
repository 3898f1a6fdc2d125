package io.forebay.testkit;

/** A request that a {@link FaultyStore} can spoil. */
public enum StoreOperation {
    /** Also the commit of an upload. */
    PUT,
    CREATE,
    APPEND,
    SEAL,
    READ,
    LIST,
    DELETE
}
