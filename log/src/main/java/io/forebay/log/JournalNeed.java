package io.forebay.log;

import io.forebay.log.journal.ClosedFile;
import io.forebay.log.journal.JournalCleaner;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestStore;
import io.forebay.log.shard.Shard;
import io.forebay.model.ShardId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether a journal file is still needed: asks the current manifest of each shard that has frames in it. For shards that are open
 * here it is the one this node put and confirmed last (a manifest never needs again what an earlier one did not); for others it
 * is read from the store, once for each look. Owned by the home loop.
 */
final class JournalNeed implements JournalCleaner.Need {

    private final LogPorts ports;
    private final Map<ShardId, Shard> open;
    private final Map<Integer, CompletableFuture<Optional<Manifest>>> read = new HashMap<>();

    /** @param open shards that this node owns now, by the home loop's knowledge */
    JournalNeed(LogPorts ports, Map<ShardId, Shard> open) {
        this.ports = ports;
        this.open = open;
    }

    @Override
    public CompletableFuture<Boolean> needed(JournalPath path, ClosedFile file) {
        return needed(path, file, 0);
    }

    private CompletableFuture<Boolean> needed(JournalPath path, ClosedFile file, int next) {
        int at = next;
        while (at < file.shards().size()) {
            int shard = file.shards().get(at);
            at++;
            Shard here = open.get(new ShardId(shard));
            if (here != null) {
                if (here.manifest().needs(path.session(), path.lane(), file.number())) {
                    return CompletableFuture.completedFuture(true);
                }
                continue;
            }
            int behind = at;
            return read.computeIfAbsent(shard, id -> new ManifestStore(ports.store(), ports.home(), id).readCurrent())
                    .thenComposeAsync(
                            found -> found.isPresent() && found.get().needs(path.session(), path.lane(), file.number())
                                    ? CompletableFuture.completedFuture(true)
                                    : needed(path, file, behind),
                            ports.home());
        }
        return CompletableFuture.completedFuture(false);
    }
}
