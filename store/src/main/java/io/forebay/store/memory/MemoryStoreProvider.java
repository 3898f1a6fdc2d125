package io.forebay.store.memory;

import io.forebay.store.Store;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProvider;
import java.net.URI;
import java.util.Map;

/** Opens {@code memory:} stores. Each open makes a new, empty one that ends with the process. */
public final class MemoryStoreProvider implements StoreProvider {

    @Override
    public String scheme() {
        return "memory";
    }

    @Override
    public Store open(URI uri, Map<String, String> settings, StorePorts ports) {
        return new MemoryStore();
    }
}
