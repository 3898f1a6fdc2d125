package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import java.util.List;
import java.util.random.RandomGenerator;

/** Notes that a node keeps no shards, or may have some again. The reply says what is wrong; empty if nothing is. */
public record DrainNode(int nodeId, boolean drain) implements Command<String> {

    private static final int NEEDS_LEVEL = 2;

    @Override
    public Decision<String> decide(MetadataImage image, RandomGenerator random) {
        if (image.node(nodeId) == null) {
            return new Decision<>(List.of(), "there is no node " + nodeId);
        }
        if (image.level() < NEEDS_LEVEL) {
            return new Decision<>(
                    List.of(), "a node of an older version is still running: start all nodes with this one first");
        }
        return new Decision<>(List.of(MetadataImage.drain(nodeId, drain)), "");
    }
}
