package io.forebay.cluster.placement;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses owners by number: of those whose roles allow a shard, the one with the fewest of its class. Each choice counts for the next one.
 *
 * <p>Nodes that are to be drained get something only if there is nobody else: a shard that somebody serves is better than one that nobody serves.
 */
public final class Placement {

    private final List<SessionImage> willing = new ArrayList<>();
    private final List<SessionImage> forUsers;
    private final List<SessionImage> forInternal;
    private final List<SessionImage> unwilling = new ArrayList<>();
    private final Map<Long, Integer> userShards = new HashMap<>();
    private final Map<Long, Integer> internalShards = new HashMap<>();

    /**
     * Counts who owns what.
     *
     * @param draining sessions that are about to end
     */
    public Placement(MetadataImage image, Set<Long> draining) {
        image.sessions().stream()
                .filter(session -> Role.ownsShards(session.roles()))
                .sorted(Comparator.comparingLong(SessionImage::session))
                .forEach(session -> {
                    boolean goes = draining.contains(session.session()) || drained(image, session);
                    (goes ? unwilling : willing).add(session);
                });
        forUsers = mayOwn(ShardId.user(0));
        forInternal = mayOwn(ShardId.internal(0));
        for (ShardImage shard : image.shards()) {
            if (image.isLive(shard.ownerSession())) {
                of(shard.id()).merge(shard.ownerSession(), 1, Integer::sum);
            }
        }
    }

    private List<SessionImage> mayOwn(ShardId shard) {
        return willing.stream().filter(s -> Role.mayOwn(s.roles(), shard)).toList();
    }

    private static boolean drained(MetadataImage image, SessionImage session) {
        NodeImage node = image.node(session.nodeId());
        return node != null && node.drained();
    }

    private Map<Long, Integer> of(ShardId shard) {
        return shard.isInternal() ? internalShards : userShards;
    }

    /** Whether a session may be given the shard and wants to keep shards. */
    public boolean isWilling(long session, ShardId shard) {
        for (SessionImage one : willing(shard)) {
            if (one.session() == session) {
                return true;
            }
        }
        return false;
    }

    /** Whether every session that could own anything is about to end. */
    public boolean nobodyIsWilling() {
        return willing.isEmpty();
    }

    /** Sessions that may own the shard and are not about to end. */
    public List<SessionImage> willing(ShardId shard) {
        return shard.isInternal() ? forInternal : forUsers;
    }

    /** How many shards of this one's class a session has. */
    public int count(long session, ShardId shard) {
        return of(shard).getOrDefault(session, 0);
    }

    /** Gives the shard to the session, as far as later choices are concerned. */
    public void give(ShardId shard, long session) {
        of(shard).merge(session, 1, Integer::sum);
    }

    /** Takes the shard from the session, as far as later choices are concerned. */
    public void take(ShardId shard, long session) {
        of(shard).merge(session, -1, Integer::sum);
    }

    /** The session that should own the shard; empty if none may. */
    public Optional<SessionImage> choose(ShardId shard) {
        Optional<SessionImage> chosen = fewest(willing, shard).or(() -> fewest(unwilling, shard));
        chosen.ifPresent(session -> give(shard, session.session()));
        return chosen;
    }

    private Optional<SessionImage> fewest(List<SessionImage> sessions, ShardId shard) {
        return sessions.stream()
                .filter(session -> Role.mayOwn(session.roles(), shard))
                .min(Comparator.comparingInt(session -> count(session.session(), shard)));
    }

    /** Records that give an owner under the next epoch to every shard whose owner is over, and to every one that never had any. */
    public static List<MetadataRecord> settle(MetadataImage image, Set<Long> draining) {
        Placement placement = new Placement(image, draining);
        List<MetadataRecord> records = new ArrayList<>();
        for (ShardId shard : shards(image)) {
            ShardImage now = image.shard(shard);
            if (now == null || !image.isLive(now.ownerSession())) {
                placement
                        .choose(shard)
                        .ifPresent(owner -> records.add(assignment(now == null ? 0 : now.epoch() + 1, shard, owner)));
            }
        }
        return records;
    }

    /** The record that gives a shard to a session. */
    public static MetadataRecord assignment(long epoch, ShardId shard, SessionImage owner) {
        return MetadataImage.assignment(shard, epoch, owner.nodeId(), owner.session());
    }

    /** All shards of the cluster but the root. */
    public static List<ShardId> shards(MetadataImage image) {
        List<ShardId> all = new ArrayList<>();
        for (int i = 0; i < image.internalShards(); i++) {
            all.add(ShardId.internal(i));
        }
        for (int i = 0; i < image.userShards(); i++) {
            all.add(ShardId.user(i));
        }
        return all;
    }
}
