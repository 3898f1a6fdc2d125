package io.forebay.store.local;

import io.forebay.model.Clock;
import io.forebay.store.Store;
import io.forebay.store.StoreException;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProvider;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Opens {@code file:} stores: {@code file:///var/lib/forebay}, {@code file:/var/lib/forebay}, or relative to the working
 * folder {@code file:forebay}. Settings: see {@link LocalConfig}.
 */
public final class LocalStoreProvider implements StoreProvider {

    @Override
    public String scheme() {
        return "file";
    }

    @Override
    public void check(URI uri, Map<String, String> settings) {
        var unused = folder(uri);
    }

    @Override
    public Store open(URI uri, Map<String, String> settings, StorePorts ports) {
        return open(uri, settings, ports.io(), ports.clock());
    }

    /** Opens the store for whoever has neither timers nor chance: a folder needs none. */
    public Store open(URI uri, Map<String, String> settings, Executor io, Clock clock) {
        return FolderStart.open(folder(uri), LocalConfig.of(settings), new SystemDisk(), io, clock);
    }

    private static Path folder(URI uri) {
        String host = uri.getAuthority();
        String path = uri.isOpaque() ? uri.getSchemeSpecificPart() : uri.getPath();
        if (host != null && !host.isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "'" + uri + "' names a machine ('" + host + "'); a folder is written file:///PATH or file:PATH");
        }
        if (path == null || path.isEmpty()) {
            throw new StoreException(StoreException.Kind.INVALID, "'" + uri + "' names no folder");
        }
        try {
            return Path.of(path);
        } catch (InvalidPathException notAPath) {
            throw new StoreException(StoreException.Kind.INVALID, "'" + uri + "' names no folder", notAPath);
        }
    }
}
