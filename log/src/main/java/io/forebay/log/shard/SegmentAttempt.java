package io.forebay.log.shard;

import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.segment.SegmentWriter;
import io.forebay.store.ObjectKey;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Writing of one new segment of a shard: whole, or given up so that no reader ever sees it. */
final class SegmentAttempt {

    private SegmentAttempt() {}

    /**
     * Begins the segment and hands its writer to whoever fills it.
     *
     * @param fill completes with the entry when the segment is committed; a failure gives the segment up
     */
    static CompletableFuture<SegmentEntry> run(
            Shard shard, ObjectKey key, Function<SegmentWriter, CompletableFuture<SegmentEntry>> fill) {
        ShardPorts ports = shard.ports();
        return SegmentWriter.begin(
                        ports.store(),
                        ports.merge(),
                        key,
                        shard.id().value(),
                        shard.epoch(),
                        ports.clock().wallMs(),
                        ports.maker())
                .thenCompose(writer -> fill.apply(writer).whenComplete((entry, thrown) -> {
                    if (thrown != null) {
                        writer.abort();
                    }
                }));
    }
}
