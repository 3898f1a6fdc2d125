package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.formats.metadata.SessionFenced;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Records that sessions are over, whose journals are fenced already, and gives their shards to all that live. One batch, however many shards they had. The
 * reply says how many shards got another owner.
 *
 * @param draining sessions that are about to end
 */
public record EndSession(List<Long> sessions, Set<Long> draining) implements Command<Integer> {

    public EndSession {
        sessions = List.copyOf(sessions);
        draining = Set.copyOf(draining);
    }

    @Override
    public Decision<Integer> decide(MetadataImage image, RandomGenerator random) {
        List<MetadataRecord> records = new ArrayList<>();
        sessions.stream().filter(image::isLive).forEach(session -> records.add(fenced(session)));
        List<MetadataRecord> assignments = Placement.settle(image.apply(records), draining);
        records.addAll(assignments);
        return new Decision<>(records, assignments.size());
    }

    static MetadataRecord fenced(long session) {
        return MetadataRecord.newBuilder()
                .setSessionFenced(SessionFenced.newBuilder().setSession(session))
                .build();
    }
}
