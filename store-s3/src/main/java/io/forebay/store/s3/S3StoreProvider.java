package io.forebay.store.s3;

import io.forebay.store.Store;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProvider;
import java.net.URI;
import java.util.Map;

/**
 * Opens {@code s3:} stores: {@code s3://BUCKET/PREFIX?region=REGION}, on another server than Amazon's with
 * {@code &endpoint=http://HOST:PORT}. Credentials come from where the SDK looks by default. Settings: see {@link S3Config}.
 *
 * <p>Nothing of the SDK is loaded before {@link #open}.
 */
public final class S3StoreProvider implements StoreProvider {

    @Override
    public String scheme() {
        return "s3";
    }

    @Override
    public void check(URI uri, Map<String, String> settings) {
        var unused = S3Config.of(uri, settings);
    }

    @Override
    public Store open(URI uri, Map<String, String> settings, StorePorts ports) {
        return S3Connection.open(S3Config.of(uri, settings), ports);
    }
}
