package io.forebay.log.shard;

import io.forebay.log.partition.PartitionState;
import io.forebay.model.Loop;
import java.util.ArrayList;
import java.util.List;

/**
 * Partitions of one loop whose high watermark has moved. They are told in a task of their own behind the one that moved them,
 * so that each is told once for all that one group of the journal made durable. Owned by that loop.
 */
public final class AdvanceQueue {

    private final Loop loop;
    private List<PartitionState> advanced = new ArrayList<>();
    private List<PartitionState> spare = new ArrayList<>();

    public AdvanceQueue(Loop loop) {
        this.loop = loop;
    }

    /** The partition is not in the queue. */
    void add(PartitionState partition) {
        advanced.add(partition);
        if (advanced.size() == 1) {
            loop.execute(this::tell);
        }
    }

    private void tell() {
        List<PartitionState> toTell = advanced;
        advanced = spare;
        for (PartitionState partition : toTell) {
            partition.notifyAdvance();
        }
        toTell.clear();
        spare = toTell;
    }
}
