package io.forebay.store;

import java.net.URI;
import java.util.Map;

/** Makes the back end for one URI scheme. Found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {

    /** The scheme in lower case: {@code file}, {@code memory}, {@code hdfs}, {@code s3}. */
    String scheme();

    /**
     * Looks at the URI and the settings alone: asks nothing of the store, changes nothing.
     *
     * @throws StoreException INVALID with a message that says what to change
     */
    default void check(URI uri, Map<String, String> settings) {}

    /**
     * Opens the store.
     *
     * @param uri where it is
     * @param settings the {@code store.*} settings of the node, keys as documented
     * @throws StoreException INVALID with a message that says what to change
     */
    Store open(URI uri, Map<String, String> settings, StorePorts ports);
}
