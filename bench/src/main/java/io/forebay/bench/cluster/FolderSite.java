package io.forebay.bench.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A folder of this machine. */
record FolderSite(Path folder) implements StoreSite {

    @Override
    public String kind() {
        return "folder";
    }

    @Override
    public String uri(String name) {
        return folder.resolve(name).toUri().toString();
    }

    /** Nodes are killed here, not the machine: what the system has it keeps. */
    @Override
    public Map<String, String> settings() {
        return Map.of("store.local.sync", "os", "store.local.reserve.bytes", "0");
    }

    @Override
    public Map<String, String> environment() {
        return Map.of();
    }

    @Override
    public List<Long> pids() {
        return List.of();
    }

    @Override
    public void start() {}

    @Override
    public void close() {}
}
