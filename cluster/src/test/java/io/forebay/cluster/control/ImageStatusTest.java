package io.forebay.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.control.ClusterStatus;
import io.forebay.formats.control.NodeStatus;
import io.forebay.formats.control.ShardStatus;
import io.forebay.formats.metadata.ClusterCreated;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.formats.metadata.Role;
import io.forebay.formats.metadata.SessionFenced;
import io.forebay.formats.metadata.SessionRegistered;
import io.forebay.formats.metadata.TermStarted;
import io.forebay.model.ShardId;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImageStatusTest {

    private static final MetadataImage CLUSTER = MetadataImage.EMPTY.apply(List.of(
            MetadataRecord.newBuilder()
                    .setClusterCreated(ClusterCreated.newBuilder()
                            .setClusterId("c")
                            .setUserShards(2)
                            .setInternalShards(1))
                    .build(),
            MetadataRecord.newBuilder()
                    .setTermStarted(TermStarted.newBuilder().setTerm(7).setNodeId(2))
                    .build(),
            session(10, 1, Role.ROLE_BROKER),
            session(11, 2, Role.ROLE_CONTROLLER)));

    @Test
    void tellsNodesAndShardsOfTheImage() {
        MetadataImage image = CLUSTER.apply(
                List.of(MetadataImage.assignment(ShardId.user(1), 4, 1, 10), MetadataImage.drain(1, true)));

        ClusterStatus status = ImageStatus.of(image).build();

        assertThat(status.getClusterId()).isEqualTo("c");
        assertThat(status.getTerm()).isEqualTo(7);
        assertThat(status.getControllerNode()).isEqualTo(2);
        assertThat(status.getVersion()).isEqualTo(image.version());
        assertThat(status.getNodesList().stream().map(NodeStatus::getNodeId)).containsExactly(1, 2);
        assertThat(status.getNodes(0).getAlive()).isTrue();
        assertThat(status.getNodes(0).getDrained()).isTrue();
        assertThat(status.getNodes(0).getRolesList()).containsExactly(Role.ROLE_BROKER);
        assertThat(status.getNodes(0).getRack()).isEqualTo("r1");
        assertThat(status.getNodes(0).getPort()).isEqualTo(9001);
        assertThat(status.getShardsList())
                .containsExactly(
                        shard(ShardId.internal(0), -1, -1),
                        shard(ShardId.user(0), -1, -1),
                        shard(ShardId.user(1), 4, 1));
    }

    @Test
    void tellsThatTheShardsOfADeadNodeHaveNoOwner() {
        MetadataImage image = CLUSTER.apply(List.of(
                MetadataImage.assignment(ShardId.user(1), 4, 1, 10),
                MetadataRecord.newBuilder()
                        .setSessionFenced(SessionFenced.newBuilder().setSession(10))
                        .build()));

        ClusterStatus status = ImageStatus.of(image).build();

        assertThat(status.getNodes(0).getAlive()).isFalse();
        assertThat(status.getNodes(0).getRolesList()).isEmpty();
        assertThat(status.getShards(2)).isEqualTo(shard(ShardId.user(1), 4, -1));
    }

    private static ShardStatus shard(ShardId id, long epoch, int owner) {
        return ShardStatus.newBuilder()
                .setShard(id.value())
                .setEpoch(epoch)
                .setOwnerNode(owner)
                .build();
    }

    private static MetadataRecord session(long session, int nodeId, Role role) {
        return MetadataRecord.newBuilder()
                .setSessionRegistered(SessionRegistered.newBuilder()
                        .setSession(session)
                        .setNodeId(nodeId)
                        .setIncarnation(ByteString.copyFrom(new byte[16]))
                        .setProcess(ByteString.copyFrom(new byte[16]))
                        .addRoles(role)
                        .setHost("h")
                        .setPort(9000 + nodeId)
                        .setRack("r" + nodeId)
                        .setLanes(1))
                .build();
    }
}
