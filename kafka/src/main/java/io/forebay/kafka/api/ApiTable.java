package io.forebay.kafka.api;

import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/** The APIs that are served, by their key. What is not in here is not advertised and not answered. Immutable. */
public final class ApiTable {

    private final @Nullable ApiHandler<?>[] byKey;
    private final List<ApiHandler<?>> handlers;

    public ApiTable(Collection<ApiHandler<?>> handlers) {
        this.handlers = List.copyOf(handlers);
        int highest = 0;
        for (ApiHandler<?> handler : handlers) {
            highest = Math.max(highest, handler.api().id);
        }
        byKey = new ApiHandler<?>[highest + 1];
        for (ApiHandler<?> handler : handlers) {
            if (byKey[handler.api().id] != null) {
                throw new IllegalArgumentException("two handlers serve " + handler.api());
            }
            byKey[handler.api().id] = handler;
        }
    }

    /** The handler of an API key, or null if the API is not served. */
    public @Nullable ApiHandler<?> find(int key) {
        return key >= 0 && key < byKey.length ? byKey[key] : null;
    }

    public List<ApiHandler<?>> handlers() {
        return handlers;
    }

    /** All APIs with their versions, as ApiVersions answers them; a new collection each time. */
    public ApiVersionCollection versions() {
        ApiVersionCollection versions = new ApiVersionCollection(handlers.size());
        for (ApiHandler<?> handler : handlers) {
            versions.add(range(handler));
        }
        return versions;
    }

    /** One API with its versions. */
    public static ApiVersion range(ApiHandler<?> handler) {
        ApiKeys api = handler.api();
        return new ApiVersion()
                .setApiKey(api.id)
                .setMinVersion(handler.lowestVersionTold())
                .setMaxVersion(handler.highestVersion());
    }
}
