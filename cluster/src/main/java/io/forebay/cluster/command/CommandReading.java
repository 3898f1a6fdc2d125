package io.forebay.cluster.command;

import io.forebay.formats.control.ClusterCommand;
import java.util.Optional;

/** Reads what {@link NodeCommand#encoded} wrote. */
public final class CommandReading {

    private CommandReading() {}

    /** The command that changes the image; empty if it is one that only steers the controller, or of a later version. */
    public static Optional<NodeCommand<?>> read(ClusterCommand command) {
        return switch (command.getKindCase()) {
            case CREATE_TOPICS -> Optional.of(CreateTopics.decoded(command.getCreateTopics()));
            case ADD_PARTITIONS -> Optional.of(AddPartitions.decoded(command.getAddPartitions()));
            case DELETE_TOPICS -> Optional.of(DeleteTopics.decoded(command.getDeleteTopics()));
            case CHANGE_SETTINGS -> Optional.of(ChangeSettings.decoded(command.getChangeSettings()));
            case RESERVE_PRODUCER_IDS ->
                Optional.of(
                        new ReserveProducerIds(command.getReserveProducerIds().getCount()));
            case MOVE_SHARD, DRAIN_NODE, BALANCE, KIND_NOT_SET -> Optional.empty();
        };
    }
}
