package io.forebay.server.config;

import java.net.URI;
import java.util.Map;

/**
 * Where the bytes live.
 *
 * @param location URI with a scheme; {@code file} URIs hold an absolute folder
 * @param settings every setting whose name begins with {@code store.}, under that name, numbers without units
 */
public record StoreConfig(URI location, Map<String, String> settings) {
    public StoreConfig {
        settings = Map.copyOf(settings);
    }
}
