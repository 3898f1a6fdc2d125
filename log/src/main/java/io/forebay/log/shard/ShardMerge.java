package io.forebay.log.shard;

import io.forebay.log.manifest.Manifest;
import io.forebay.log.manifest.SegmentEntry;
import io.forebay.log.partition.CorruptRangeException;
import io.forebay.log.partition.PartitionState;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Replaces chosen segments of a shard by others that hold the same records, in one manifest version. Owned by the shard loop;
 * used once. Until that version counts nothing has changed: what was written is garbage, and the next merge begins anew.
 */
final class ShardMerge {

    /** A partition with at least so much in a merge gets an object of its own. */
    private static final long OWN_SEGMENT_BYTES = 32L << 20;

    private final Shard shard;
    private final ShardPorts ports;
    private final List<SegmentEntry> chosen;
    private final List<ObjectKey> made = new ArrayList<>();

    ShardMerge(Shard shard, List<SegmentEntry> chosen) {
        this.shard = shard;
        this.ports = shard.ports();
        this.chosen = List.copyOf(chosen);
    }

    /** Completes on the shard loop when the manifest counts. */
    CompletableFuture<Void> run() {
        List<MergeOutput> outputs =
                MergePlan.outputs(shard.updates().current().segments(), chosen, this::startOf, OWN_SEGMENT_BYTES);
        int level = 1 + chosen.stream().mapToInt(SegmentEntry::level).max().orElse(0);
        CompletableFuture<List<SegmentEntry>> written = CompletableFuture.completedFuture(new ArrayList<>());
        for (MergeOutput output : outputs) {
            ObjectKey key = shard.names().segment();
            made.add(key);
            written = written.thenCompose(before -> SegmentAttempt.run(
                            shard,
                            key,
                            writer -> new MergeJob(ports, shard.id().value(), shard.epoch(), output, writer).run(level))
                    .thenApply(entry -> {
                        before.add(entry);
                        return before;
                    }));
        }
        return written.thenComposeAsync(this::name, ports.loop())
                .whenCompleteAsync(
                        (done, thrown) -> {
                            if (thrown != null) {
                                failed(Retry.unwrap(thrown));
                            }
                        },
                        ports.loop());
    }

    private long startOf(long partitionId) {
        PartitionState partition = shard.stateOrNull(partitionId);
        return partition == null ? -1 : partition.log().startOffset();
    }

    private CompletableFuture<Void> name(List<SegmentEntry> written) {
        if (!shard.isOpen()) {
            throw new ShardClosedException(shard.id());
        }
        return shard.updates().update(manifest -> next(manifest, written)).thenAccept(manifest -> {
            shard.confirmed(manifest);
            ShardSegments.install(shard, manifest.segments());
            shard.garbage().keep(manifest);
        });
    }

    private Manifest next(Manifest manifest, List<SegmentEntry> written) {
        Set<ObjectKey> replaced = new HashSet<>();
        chosen.forEach(segment -> replaced.add(segment.key()));
        List<SegmentEntry> segments = new ArrayList<>();
        boolean placed = false;
        for (SegmentEntry segment : manifest.segments()) {
            if (!replaced.contains(segment.key())) {
                segments.add(segment);
            } else if (!placed) {
                segments.addAll(written);
                placed = true;
            }
        }
        if (!placed) {
            segments.addAll(0, written);
        }
        return manifest.withSegments(List.of())
                .withContent(
                        shard.stillNeeded(segments), shard.deletedPartitions().ids());
    }

    /** What may be named by a manifest whose outcome is unknown is not garbage: that only happens when the shard is over. */
    private void failed(Throwable cause) {
        if (!shard.isOpen()) {
            return;
        }
        for (ObjectKey key : made) {
            shard.garbage().attemptEnded(key);
        }
        if (cause instanceof CorruptRangeException corrupt) {
            shard.damagedSegment(corrupt);
        }
    }
}
