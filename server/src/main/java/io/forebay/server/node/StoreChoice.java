package io.forebay.server.node;

import io.forebay.server.cli.NodeStartException;
import io.forebay.store.StoreException;
import io.forebay.store.StoreProvider;
import java.net.URI;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which back end a store's URI means, found out before anything is begun. */
final class StoreChoice {
    /** A store that ends with the process is for tests. */
    private static final String FOR_TESTS = "memory";

    private StoreChoice() {}

    /**
     * The back end for a URI that it has nothing against.
     *
     * @throws NodeStartException if this build has none for the scheme, or if the URI is wrong by itself
     */
    static StoreProvider of(URI location, Map<String, String> settings) throws NodeStartException {
        String scheme = location.getScheme() == null ? "file" : location.getScheme();
        TreeSet<String> others = new TreeSet<>();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
            if (provider.scheme().equals(scheme)) {
                try {
                    provider.check(location, settings);
                } catch (StoreException e) {
                    throw new NodeStartException(String.valueOf(e.getMessage()), e);
                }
                return provider;
            }
            others.add(provider.scheme());
        }
        others.remove(FOR_TESTS);
        throw new NodeStartException("there is no store for '" + scheme + ":' in this build: use "
                + others.stream().map(other -> other + ":").collect(Collectors.joining(" or ")));
    }
}
