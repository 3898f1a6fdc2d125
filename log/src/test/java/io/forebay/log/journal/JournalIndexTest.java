package io.forebay.log.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import io.forebay.formats.journal.PartitionFrames;
import io.forebay.formats.journal.ShardFrames;
import io.forebay.log.batch.BatchView;
import io.forebay.testkit.SeededTest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What goes into an index comes out of it, by our cursor and by the generated classes of its schema. */
final class JournalIndexTest {

    private record Frame(
            int kind,
            int shard,
            long partition,
            int position,
            int length,
            long epoch,
            long offset,
            int count,
            long timestamp) {}

    @SeededTest
    void givesBackEveryFrameByShardAndPartition(long seed) throws InvalidProtocolBufferException {
        SplittableRandom random = new SplittableRandom(seed);
        JournalIndexBuilder builder = new JournalIndexBuilder();
        List<Frame> added = fill(builder, random, 1 + random.nextInt(5_000));
        int end = random.nextBoolean()
                ? Integer.MAX_VALUE
                : added.get(random.nextInt(added.size())).position();
        List<Frame> expected = added.stream().filter(f -> f.position() < end).toList();

        byte[] encoded = builder.encode(end);

        JournalIndex index = JournalIndex.parse(3, encoded);
        assertThat(index.shards())
                .isEqualTo(
                        expected.stream().map(Frame::shard).distinct().sorted().toList());
        for (int shard : builder.shards()) {
            assertThat(byCursor(index, shard)).isEqualTo(inOrder(expected, shard));
        }
        assertThat(bySchema(encoded))
                .isEqualTo(builder.shards().stream()
                        .flatMap(s -> inOrder(expected, s).stream())
                        .toList());
    }

    @SeededTest
    void filtersByEpochAndPosition(long seed) throws InvalidProtocolBufferException {
        SplittableRandom random = new SplittableRandom(seed);
        JournalIndexBuilder builder = new JournalIndexBuilder();
        List<Frame> added = fill(builder, random, 500);
        JournalIndex.Slice slice =
                JournalIndex.parse(3, builder.encode(Integer.MAX_VALUE)).slice(1024);
        int from = added.get(random.nextInt(added.size())).position();
        int to = added.get(random.nextInt(added.size())).position();

        IndexFrameCursor cursor = new IndexFrameCursor(
                slice == null ? List.of() : List.of(slice),
                IndexFrameCursor.Range.ofEpoch(2, new JournalPosition(3, from), new JournalPosition(3, to)));
        List<Integer> found = new ArrayList<>();
        while (cursor.next()) {
            found.add(cursor.position());
        }

        assertThat(found)
                .isEqualTo(inOrder(added, 1024).stream()
                        .filter(f -> f.epoch() == 2 && f.position() >= from && f.position() < to)
                        .map(Frame::position)
                        .toList());
    }

    @Test
    void anEmptyFileHasNoShards() throws InvalidProtocolBufferException {
        JournalIndex index = JournalIndex.parse(0, new JournalIndexBuilder().encode(Integer.MAX_VALUE));

        assertThat(index.shards()).isEmpty();
        assertThat(index.frames(1024).next()).isFalse();
    }

    private static List<Frame> fill(JournalIndexBuilder builder, SplittableRandom random, int count) {
        List<Frame> added = new ArrayList<>();
        int position = JournalHeader.BYTES;
        for (int i = 0; i < count; i++) {
            int shard = 1024 + random.nextInt(5);
            long partition = random.nextInt(10) == 0 ? -1 : random.nextLong(30) << random.nextInt(40);
            boolean isBatch = random.nextInt(10) > 0;
            int kind = isBatch ? FrameKind.BATCH.code() : FrameKind.TRIM.code();
            int length = isBatch ? 61 + random.nextInt(100) : 0;
            long offset = random.nextLong(1L << random.nextInt(1, 60));
            ByteBuffer body = TestBatches.batch(offset, 4, 61 + 100, random);
            long epoch = random.nextInt(3);
            builder.add(kind, shard, partition, position, length, epoch, offset, 4, body, 0);
            added.add(new Frame(
                    kind,
                    shard,
                    partition,
                    position,
                    length,
                    epoch,
                    offset,
                    4,
                    isBatch ? BatchView.maxTimestamp(body, 0) : -1));
            position += FrameCodec.HEADER_BYTES + length;
        }
        return added;
    }

    private static List<Frame> inOrder(List<Frame> frames, int shard) {
        return frames.stream()
                .filter(f -> f.shard() == shard)
                .sorted(Comparator.comparingLong(Frame::partition).thenComparingInt(Frame::position))
                .toList();
    }

    private static List<Frame> byCursor(JournalIndex index, int shard) {
        List<Frame> found = new ArrayList<>();
        FrameCursor c = index.frames(shard);
        while (c.next()) {
            assertThat(c.file()).isEqualTo(3);
            assertThat(c.bodyPosition()).isEqualTo(c.position() + FrameCodec.HEADER_BYTES);
            boolean isBatch = c.kind() == FrameKind.BATCH;
            assertThat(c.producerId()).isEqualTo(isBatch ? 5 : -1);
            assertThat(c.producerEpoch()).isEqualTo((short) (isBatch ? 3 : -1));
            assertThat(c.baseSequence()).isEqualTo(isBatch ? (int) c.baseOffset() : -1);
            found.add(new Frame(
                    c.kind().code(),
                    shard,
                    c.partitionId(),
                    c.position(),
                    c.bodyLength(),
                    c.epoch(),
                    c.baseOffset(),
                    c.recordCount(),
                    c.maxTimestamp()));
        }
        return found;
    }

    private static List<Frame> bySchema(byte[] encoded) throws InvalidProtocolBufferException {
        List<Frame> found = new ArrayList<>();
        for (ShardFrames shard :
                io.forebay.formats.journal.JournalIndex.parseFrom(encoded).getShardsList()) {
            for (PartitionFrames p : shard.getPartitionsList()) {
                int position = 0;
                long epoch = 0;
                long offset = 0;
                long timestamp = 0;
                for (int i = 0; i < p.getKindCount(); i++) {
                    position += p.getPositionDelta(i);
                    epoch += p.getEpochDelta(i);
                    offset += p.getBaseOffsetDelta(i);
                    timestamp += p.getMaxTimestampDelta(i);
                    found.add(new Frame(
                            p.getKind(i),
                            shard.getShard(),
                            p.getPartitionId(),
                            position,
                            p.getBodyLength(i),
                            epoch,
                            offset,
                            p.getRecordCount(i),
                            timestamp));
                }
            }
        }
        return found;
    }
}
