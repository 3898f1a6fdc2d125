package io.forebay.conformance.stores;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A folder of this machine. Nothing breaks by itself: the operating system stays up. */
public final class SharedFolder implements StoreUnderTest {

    private final Path folder;

    /** @param folder an empty one, or one that is not there */
    public SharedFolder(Path folder) {
        this.folder = folder;
    }

    @Override
    public String kind() {
        return "folder";
    }

    @Override
    public String uri() {
        return folder.toUri().toString();
    }

    /** What a machine that stays up writes does not need to reach the disk; syncing is tested elsewhere. */
    @Override
    public Map<String, String> settings() {
        return Map.of("store.local.sync", "os", "store.local.reserve.bytes", "0");
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    @Override
    public void start() {}

    @Override
    public List<StoreFault> faults() {
        return List.of();
    }

    @Override
    public String logTail() {
        return "";
    }

    @Override
    public void close() {}
}
