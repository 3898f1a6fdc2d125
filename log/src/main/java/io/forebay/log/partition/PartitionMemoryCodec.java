package io.forebay.log.partition;

import io.forebay.formats.manifest.EpochStart;
import io.forebay.formats.manifest.ProducerBatch;
import io.forebay.formats.manifest.ProducerEntry;
import io.forebay.store.StoreException;

/** {@link PartitionMemory} as it stands in manifests (formats, manifest.proto). */
public final class PartitionMemoryCodec {

    private PartitionMemoryCodec() {}

    public static io.forebay.formats.manifest.PartitionMemory encode(long partitionId, PartitionMemory memory) {
        var encoded = io.forebay.formats.manifest.PartitionMemory.newBuilder()
                .setPartitionId(partitionId)
                .setStartOffset(memory.startOffset)
                .setNextOffset(memory.nextOffset)
                .setLastStableOffset(memory.lastStableOffset())
                .setMaxTimestamp(memory.maxTimestampMs)
                .setMaxTimestampOffset(memory.maxTimestampOffset);
        for (int i = 0; i < memory.epochCount(); i++) {
            encoded.addEpochs(EpochStart.newBuilder().setEpoch(memory.epoch(i)).setFirstOffset(memory.epochStart(i)));
        }
        for (long producerId : memory.producers.sortedKeys()) {
            ProducerState producer = memory.producers.get(producerId);
            if (producer != null) {
                encoded.addProducers(encode(producer));
            }
        }
        for (AbortedTransaction aborted : memory.aborted) {
            encoded.addAborted(io.forebay.formats.manifest.AbortedTransaction.newBuilder()
                    .setProducerId(aborted.producerId())
                    .setFirstOffset(aborted.firstOffset())
                    .setLastOffset(aborted.lastOffset())
                    .setLastStableOffset(aborted.lastStableOffset()));
        }
        return encoded.build();
    }

    public static PartitionMemory decode(io.forebay.formats.manifest.PartitionMemory encoded) {
        PartitionMemory memory = new PartitionMemory();
        memory.startOffset = encoded.getStartOffset();
        memory.nextOffset = encoded.getNextOffset();
        memory.maxTimestampMs = encoded.getMaxTimestamp();
        memory.maxTimestampOffset = encoded.getMaxTimestampOffset();
        for (EpochStart epoch : encoded.getEpochsList()) {
            memory.noteEpoch(epoch.getEpoch(), epoch.getFirstOffset());
        }
        for (ProducerEntry entry : encoded.getProducersList()) {
            memory.restore(decode(entry));
        }
        for (var aborted : encoded.getAbortedList()) {
            memory.aborted.add(new AbortedTransaction(
                    aborted.getProducerId(),
                    aborted.getFirstOffset(),
                    aborted.getLastOffset(),
                    aborted.getLastStableOffset()));
        }
        return memory;
    }

    /**
     * The offset below which everything was in segments, or trimmed, when the memory was taken: what follows up to its next offset lies in
     * the manifest's ranges.
     *
     * @throws StoreException CORRUPT
     */
    static long flushedTo(io.forebay.formats.manifest.PartitionMemory encoded) {
        long inJournal = encoded.getInJournal();
        if (inJournal < 0 || inJournal > encoded.getNextOffset()) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    "the memory of partition " + encoded.getPartitionId() + " says that " + inJournal + " of "
                            + encoded.getNextOffset() + " offsets are in the journal");
        }
        return encoded.getNextOffset() - inJournal;
    }

    private static ProducerEntry encode(ProducerState producer) {
        ProducerEntry.Builder encoded = ProducerEntry.newBuilder()
                .setProducerId(producer.producerId)
                .setProducerEpoch(producer.epoch)
                .setCoordinatorEpoch(producer.coordinatorEpoch)
                .setOpenTransaction(producer.openTransaction + 1)
                .setLastTimestamp(producer.lastTimestampMs);
        for (int i = 0; i < producer.batches(); i++) {
            encoded.addBatches(ProducerBatch.newBuilder()
                    .setLastSequence(producer.lastSequence(i))
                    .setLastOffset(producer.lastOffset(i))
                    .setOffsetDelta(producer.offsetDelta(i))
                    .setTimestamp(producer.timestamp(i)));
        }
        return encoded.build();
    }

    private static ProducerState decode(ProducerEntry entry) {
        ProducerState producer = new ProducerState(entry.getProducerId());
        producer.changeEpoch((short) entry.getProducerEpoch());
        producer.coordinatorEpoch = entry.getCoordinatorEpoch();
        producer.openTransaction = entry.getOpenTransaction() - 1;
        for (ProducerBatch batch : entry.getBatchesList()) {
            producer.add(
                    producer.epoch,
                    batch.getLastSequence(),
                    batch.getLastOffset(),
                    batch.getOffsetDelta(),
                    batch.getTimestamp());
        }
        producer.lastTimestampMs = entry.getLastTimestamp();
        return producer;
    }
}
