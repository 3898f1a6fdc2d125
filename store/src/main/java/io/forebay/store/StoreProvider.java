package io.forebay.store;

import io.forebay.model.Clock;
import java.net.URI;
import java.util.concurrent.Executor;

/** Makes the back end for one URI scheme. Found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {

    /** The scheme in lower case: {@code file}, {@code memory}, {@code hdfs}, {@code s3}. */
    String scheme();

    /**
     * Opens the store.
     *
     * @param uri where it is
     * @param settings the {@code store.*} settings of the node, keys as documented
     * @param ioExecutor runs blocking reads, uploads, listings and deletes; never the caller's loop
     * @throws StoreException INVALID with a message that says what to change
     */
    Store open(URI uri, java.util.Map<String, String> settings, Executor ioExecutor, Clock clock);
}
