package io.forebay.store.hdfs;

import io.forebay.store.Store;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProvider;
import java.net.URI;
import java.util.Map;

/**
 * Opens {@code hdfs:} stores: {@code hdfs://host:port/folder}, or with a name service {@code hdfs://name/folder?conf=FOLDER}, where the
 * folder on this machine holds {@code core-site.xml} and {@code hdfs-site.xml}. Settings: see {@link HdfsConfig}.
 *
 * <p>Knows no type of Hadoop, so that looking for providers loads none.
 */
public final class HdfsStoreProvider implements StoreProvider {

    @Override
    public String scheme() {
        return "hdfs";
    }

    @Override
    public void check(URI uri, Map<String, String> settings) {
        var unused = HdfsConfig.of(uri, settings);
    }

    @Override
    public Store open(URI uri, Map<String, String> settings, StorePorts ports) {
        return HdfsStart.open(HdfsConfig.of(uri, settings), ports);
    }
}
