package io.forebay.cluster.control;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.MemberStatus;
import io.forebay.formats.control.Moving;
import io.forebay.formats.control.ShardLoad;

/** What operators want to know of the cluster. Pure. */
final class StatusReport {

    private StatusReport() {}

    static ClusterStatus of(MetadataImage image, Members members, Moves moves, long nowNanos) {
        ClusterStatus.Builder status = ImageStatus.of(image);
        members.all().forEach((session, member) -> {
            MemberStatus.Builder one = MemberStatus.newBuilder()
                    .setSession(session)
                    .setSilentMs(member.silentNanos(nowNanos) / 1_000_000)
                    .setDraining(member.draining())
                    .setHasStore(members.store().hasStore(member, nowNanos))
                    .addAllOpen(member.open());
            member.loads()
                    .forEach((shard, load) ->
                            one.addLoads(ShardLoad.newBuilder().setShard(shard).setBytesPerSecond(load)));
            status.addMembers(one);
        });
        moves.all()
                .forEach(move -> status.addMoving(
                        Moving.newBuilder().setShard(move.shard().value()).setToSession(move.to())));
        return status.build();
    }
}
