package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.image.ShardImage;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.formats.metadata.SessionFenced;
import io.forebay.log.journal.Maker;
import io.forebay.model.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Begins a new session of a node and gives it every shard. The journals of {@code fenced}, the sessions it replaces, are fenced
 * already.
 *
 * <p>With one node, every shard is its own. The reply is the new session's number; registering the same incarnation again gives the same.
 */
public record RegisterSession(
        int nodeId, Maker incarnation, int lanes, String host, int port, String rack, List<Long> fenced)
        implements Command<Long> {

    public RegisterSession {
        fenced = List.copyOf(fenced);
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
        long session = image.nextSession();
        List<MetadataRecord> records = new ArrayList<>();
        for (long old : fenced) {
            records.add(MetadataRecord.newBuilder()
                    .setSessionFenced(SessionFenced.newBuilder().setSession(old))
                    .build());
        }
        records.add(MetadataImage.registration(
                new SessionImage(session, nodeId, incarnation, lanes),
                new NodeImage(nodeId, session, host, port, rack)));
        for (int i = 0; i < image.internalShards(); i++) {
            records.add(assign(image, ShardId.internal(i), session));
        }
        for (int i = 0; i < image.userShards(); i++) {
            records.add(assign(image, ShardId.user(i), session));
        }
        return new Decision<>(records, session);
    }

    private MetadataRecord assign(MetadataImage image, ShardId shard, long session) {
        ShardImage before = image.shard(shard);
        long epoch = before == null ? 0 : before.epoch() + 1;
        return MetadataImage.assignment(shard, epoch, nodeId, session);
    }
}
