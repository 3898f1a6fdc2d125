package io.forebay.cluster.member;

import io.forebay.cluster.control.ControlConfig;
import io.forebay.cluster.control.MakerBytes;
import io.forebay.cluster.image.Role;
import io.forebay.formats.control.Attend;
import io.forebay.formats.control.Register;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.ShardLoad;
import io.forebay.log.journal.Maker;
import io.forebay.model.ShardId;
import java.util.List;
import java.util.Map;

/** Puts what a member says into messages. Pure. */
final class Questions {

    private Questions() {}

    static Register register(MemberIdentity identity, Maker process, Maker incarnation) {
        return Register.newBuilder()
                .setIncarnation(MakerBytes.of(incarnation))
                .setProcess(MakerBytes.of(process))
                .setNodeId(identity.nodeId())
                .addAllRoles(
                        identity.roles().stream().sorted().map(Role::encoded).toList())
                .setHost(identity.host())
                .setPort(identity.port())
                .setRack(identity.rack())
                .setLanes(Role.ownsShards(identity.roles()) ? identity.lanes() : 0)
                .setMinLevel(1)
                .setMaxLevel(ControlConfig.LEVEL)
                .build();
    }

    static Attend.Builder attend(long session, long version, ShardReport report) {
        Attend.Builder attend = Attend.newBuilder()
                .setSession(session)
                .setVersion(version)
                .addAllOpen(epochs(report.open()))
                .addAllReleased(epochs(report.released()))
                .setProofAgeMs(report.proofAgeMs());
        report.loads()
                .forEach((shard, load) -> attend.addLoads(
                        ShardLoad.newBuilder().setShard(shard.value()).setBytesPerSecond(load)));
        return attend;
    }

    private static List<ShardEpoch> epochs(Map<ShardId, Long> shards) {
        return shards.entrySet().stream()
                .map(shard -> ShardEpoch.newBuilder()
                        .setShard(shard.getKey().value())
                        .setEpoch(shard.getValue())
                        .build())
                .toList();
    }
}
