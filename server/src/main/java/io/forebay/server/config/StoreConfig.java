package io.forebay.server.config;

import java.net.URI;

/**
 * Where the bytes live.
 *
 * @param location URI with a scheme; {@code file} URIs hold an absolute folder
 * @param localReserveBytes see {@code store.local.reserve.bytes}
 */
public record StoreConfig(URI location, LocalSync localSync, long localReserveBytes) {

    /** When a local folder is synced. */
    public enum LocalSync {
        /** Before every acknowledgement. */
        ALWAYS,
        /** When the operating system likes: a power loss may lose acknowledged records. */
        OS
    }
}
