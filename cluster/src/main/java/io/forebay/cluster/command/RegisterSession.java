package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.formats.metadata.LevelRaised;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.log.journal.Maker;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Begins a new session of a node. The journals of {@code fenced}, earlier sessions of the same node, are fenced already.
 *
 * <p>What those owned goes to the new session, so that a node that starts again finds what it had; shards without owner are spread over all.
 * The reply is the new session's number; registering the same incarnation again gives the same.
 *
 * @param maxLevel highest feature level that the process can work with
 * @param draining sessions that are about to end
 */
public record RegisterSession(
        int nodeId,
        Maker incarnation,
        Maker process,
        int lanes,
        Set<Role> roles,
        int maxLevel,
        String host,
        int port,
        String rack,
        List<Long> fenced,
        Set<Long> draining)
        implements Command<Long> {

    public RegisterSession {
        roles = Set.copyOf(roles);
        fenced = List.copyOf(fenced);
        draining = Set.copyOf(draining);
    }

    @Override
    public Decision<Long> decide(MetadataImage image, RandomGenerator random) {
        for (SessionImage session : image.sessions()) {
            if (session.incarnation().equals(incarnation)) {
                return new Decision<>(List.of(), session.session());
            }
            if (session.nodeId() == nodeId && !fenced.contains(session.session())) {
                throw new IllegalStateException("session " + session.session() + " of node " + nodeId
                        + " must be fenced before another begins");
            }
        }
        SessionImage session =
                new SessionImage(image.nextSession(), nodeId, incarnation, process, lanes, roles, maxLevel);
        List<MetadataRecord> records = new ArrayList<>();
        fenced.stream().filter(image::isLive).forEach(old -> records.add(EndSession.fenced(old)));
        records.add(
                MetadataImage.registration(session, new NodeImage(nodeId, session.session(), host, port, rack, false)));
        MetadataImage registered = image.apply(records);
        raiseLevel(registered, records);
        keepShards(image, session, records);
        records.addAll(Placement.settle(image.apply(records), draining));
        return new Decision<>(records, session.session());
    }

    /** The cluster works with what all living sessions can work with, and never goes back. */
    private static void raiseLevel(MetadataImage image, List<MetadataRecord> records) {
        int level =
                image.sessions().stream().mapToInt(SessionImage::maxLevel).min().orElse(1);
        if (level > image.level()) {
            records.add(MetadataRecord.newBuilder()
                    .setLevelRaised(LevelRaised.newBuilder().setLevel(level))
                    .build());
        }
    }

    private void keepShards(MetadataImage image, SessionImage session, List<MetadataRecord> records) {
        Placement placement = new Placement(image.apply(records), draining);
        for (ShardImage shard : image.shards()) {
            if (fenced.contains(shard.ownerSession())
                    && image.isLive(shard.ownerSession())
                    && placement.isWilling(session.session(), shard.id())) {
                records.add(Placement.assignment(shard.epoch() + 1, shard.id(), session));
            }
        }
    }
}
