package io.forebay.log;

import io.forebay.log.journal.ClosedFile;
import io.forebay.log.journal.JournalCleaner;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.ManifestStore;
import io.forebay.log.shard.Shard;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.store.StoreException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Whether a journal file is still needed: asks the current manifest of each shard that has frames in it. For shards that are open
 * here it is the one this node put and confirmed last (a manifest never needs again what an earlier one did not); for others it
 * is read from the store, once for each look. Owned by the home loop.
 *
 * <p>Of a file of an ended session, all shards that need it and are not open here are noted, since nothing but an opening can change that. Of the own
 * files one that needs it is enough to know: shards that have moved to other nodes are open there.
 */
final class JournalNeed implements JournalCleaner.Need {

    private final long session;
    private final LogPorts ports;
    private final Map<ShardId, Shard> open;
    private final Map<Integer, CompletableFuture<Optional<Manifest>>> read = new HashMap<>();
    private final TreeSet<ShardId> closed = new TreeSet<>();

    /**
     * Begins a look.
     *
     * @param session whose node asks
     * @param open shards that this node owns now, by the home loop's knowledge
     */
    JournalNeed(long session, LogPorts ports, Map<ShardId, Shard> open) {
        this.session = session;
        this.ports = ports;
        this.open = open;
    }

    @Override
    public CompletableFuture<Boolean> needed(JournalPath path, ClosedFile file) {
        return needed(path, file, 0, false);
    }

    /** Shards that are not open here and need a file that was asked for. Ascending. */
    NavigableSet<ShardId> neededByClosed() {
        return Collections.unmodifiableNavigableSet(closed);
    }

    private CompletableFuture<Boolean> needed(JournalPath path, ClosedFile file, int next, boolean neededBefore) {
        int at = next;
        while (at < file.shards().size()) {
            ShardId shard = new ShardId(file.shards().get(at));
            at++;
            Shard here = open.get(shard);
            if (here != null) {
                if (here.manifest().needs(path.session(), path.lane(), file.number())) {
                    return CompletableFuture.completedFuture(true);
                }
                continue;
            }
            int behind = at;
            return neededByClosed(shard, path, file)
                    .thenComposeAsync(
                            needs -> needs && path.session() == session
                                    ? CompletableFuture.completedFuture(true)
                                    : needed(path, file, behind, neededBefore || needs),
                            ports.home());
        }
        return CompletableFuture.completedFuture(neededBefore);
    }

    private CompletableFuture<Boolean> neededByClosed(ShardId shard, JournalPath path, ClosedFile file) {
        return read.computeIfAbsent(
                        shard.value(), id -> new ManifestStore(ports.store(), ports.home(), id).readCurrent())
                .handleAsync(
                        (found, thrown) -> {
                            if (thrown != null) {
                                return neededAsFarAsKnown(thrown);
                            }
                            boolean needs =
                                    found.isPresent() && found.get().needs(path.session(), path.lane(), file.number());
                            if (needs && path.session() != session) {
                                closed.add(shard);
                            }
                            return needs;
                        },
                        ports.home());
    }

    /** What a damaged manifest needs nobody knows, so it keeps its files; those of other sessions can go nevertheless. */
    private static boolean neededAsFarAsKnown(Throwable thrown) {
        Throwable cause = Retry.unwrap(thrown);
        if (cause instanceof StoreException store && store.kind() == StoreException.Kind.CORRUPT) {
            return true;
        }
        throw new CompletionException(cause);
    }
}
