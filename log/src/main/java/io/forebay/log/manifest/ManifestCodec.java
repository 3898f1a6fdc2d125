package io.forebay.log.manifest;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.forebay.formats.manifest.PartitionMemories;
import io.forebay.formats.manifest.PartitionMemory;
import io.forebay.log.journal.JournalPosition;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Manifests and snapshots as bytes (docs/formats/manifest.md): 16 bytes of header, then one message.
 *
 * <pre>
 *  0 "FM" | 2 version | 3 0 | 4 message length 4 | 8 CRC32C of the message 4 | 12 zeros
 * </pre>
 *
 * <p>Version 2 is version 1 with memories that say how much of them the journal still holds; it is written only where one does, so that
 * older programs read all that they understand.
 */
public final class ManifestCodec {

    private static final int HEADER_BYTES = 16;
    private static final short MAGIC = 0x464D;
    private static final byte VERSION = 1;
    private static final byte VERSION_IN_JOURNAL = 2;

    private ManifestCodec() {}

    public static ByteBuffer encode(Manifest manifest) {
        var message = io.forebay.formats.manifest.Manifest.newBuilder()
                .setShard(manifest.shard())
                .setVersion(manifest.version())
                .setEpoch(manifest.epoch())
                .setSession(manifest.session())
                .setReleased(manifest.released())
                .addAllPartitions(manifest.memories())
                .addAllDeletedPartitions(manifest.deletedPartitions());
        manifest.snapshot().ifPresent(key -> message.setSnapshotKey(key.value()));
        for (JournalRange range : manifest.ranges()) {
            message.addRanges(encode(range));
        }
        for (SegmentEntry segment : manifest.segments()) {
            message.addSegments(encode(segment));
        }
        return frame(message.build(), version(manifest.memories()));
    }

    /**
     * Reads and checks a manifest.
     *
     * @param key where it was read from, for the words of an exception
     * @throws StoreException CORRUPT
     */
    public static Manifest decode(ObjectKey key, ByteBuffer bytes) {
        var message = parse(key, bytes, io.forebay.formats.manifest.Manifest.parser());
        List<JournalRange> ranges = new ArrayList<>();
        for (var range : message.getRangesList()) {
            ranges.add(new JournalRange(
                    range.getSession(),
                    range.getLane(),
                    range.getEpoch(),
                    decode(range.getFrom()),
                    range.hasTo() ? Optional.of(decode(range.getTo())) : Optional.empty()));
        }
        List<SegmentEntry> segments = new ArrayList<>();
        for (var segment : message.getSegmentsList()) {
            segments.add(decode(segment));
        }
        String snapshot = message.getSnapshotKey();
        return new Manifest(
                message.getShard(),
                message.getVersion(),
                message.getEpoch(),
                message.getSession(),
                message.getReleased(),
                ranges,
                segments,
                message.getPartitionsList(),
                snapshot.isEmpty() ? Optional.empty() : Optional.of(ObjectKey.of(snapshot)),
                message.getDeletedPartitionsList());
    }

    public static ByteBuffer encodeSnapshot(List<PartitionMemory> memories) {
        return frame(PartitionMemories.newBuilder().addAllPartitions(memories).build(), version(memories));
    }

    /**
     * Reads and checks a snapshot.
     *
     * @throws StoreException CORRUPT
     */
    public static List<PartitionMemory> decodeSnapshot(ObjectKey key, ByteBuffer bytes) {
        return parse(key, bytes, PartitionMemories.parser()).getPartitionsList();
    }

    private static byte version(List<PartitionMemory> memories) {
        return memories.stream().anyMatch(memory -> memory.getInJournal() != 0) ? VERSION_IN_JOURNAL : VERSION;
    }

    private static ByteBuffer frame(Message message, byte version) {
        byte[] body = message.toByteArray();
        ByteBuffer framed = ByteBuffer.allocate(HEADER_BYTES + body.length);
        framed.putShort(MAGIC).put(version).put((byte) 0).putInt(body.length).putInt(crc(body));
        framed.position(HEADER_BYTES).put(body);
        return framed.flip();
    }

    private static <M extends Message> M parse(ObjectKey key, ByteBuffer bytes, Parser<M> parser) {
        if (bytes.remaining() < HEADER_BYTES || bytes.getShort(bytes.position()) != MAGIC) {
            throw corrupt(key, "it does not begin like one");
        }
        int at = bytes.position();
        if (bytes.get(at + 2) < VERSION || bytes.get(at + 2) > VERSION_IN_JOURNAL) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    "manifest " + key + " has format version " + bytes.get(at + 2) + ", this program reads versions "
                            + VERSION + " to " + VERSION_IN_JOURNAL + ": it was written by a newer release");
        }
        int length = bytes.getInt(at + 4);
        if (length != bytes.remaining() - HEADER_BYTES) {
            throw corrupt(key, "it is " + bytes.remaining() + " bytes long and says " + length);
        }
        byte[] body = new byte[length];
        bytes.get(at + HEADER_BYTES, body);
        if (crc(body) != bytes.getInt(at + 8)) {
            throw corrupt(key, "its checksum is wrong");
        }
        try {
            return parser.parseFrom(body);
        } catch (InvalidProtocolBufferException e) {
            throw corrupt(key, "its message cannot be read: " + e.getMessage());
        }
    }

    private static StoreException corrupt(ObjectKey key, String reason) {
        return new StoreException(StoreException.Kind.CORRUPT, "manifest " + key + " is damaged: " + reason);
    }

    private static int crc(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return (int) crc.getValue();
    }

    private static io.forebay.formats.manifest.JournalRange encode(JournalRange range) {
        var encoded = io.forebay.formats.manifest.JournalRange.newBuilder()
                .setSession(range.session())
                .setLane(range.lane())
                .setEpoch(range.epoch())
                .setFrom(encode(range.from()));
        range.to().ifPresent(to -> encoded.setTo(encode(to)));
        return encoded.build();
    }

    private static io.forebay.formats.manifest.JournalPosition encode(JournalPosition position) {
        return io.forebay.formats.manifest.JournalPosition.newBuilder()
                .setFile(position.file())
                .setPosition(position.position())
                .build();
    }

    private static JournalPosition decode(io.forebay.formats.manifest.JournalPosition position) {
        return new JournalPosition(position.getFile(), Math.toIntExact(position.getPosition()));
    }

    private static io.forebay.formats.manifest.SegmentEntry encode(SegmentEntry segment) {
        var encoded = io.forebay.formats.manifest.SegmentEntry.newBuilder()
                .setKey(segment.key().value())
                .setSizeBytes(segment.sizeBytes())
                .setLevel(segment.level());
        for (SegmentPart part : segment.parts()) {
            encoded.addParts(io.forebay.formats.manifest.SegmentPart.newBuilder()
                    .setPartitionId(part.partitionId())
                    .setFirstOffset(part.firstOffset())
                    .setNextOffset(part.nextOffset())
                    .setLength(part.lengthBytes())
                    .setMaxTimestamp(part.maxTimestampMs()));
        }
        return encoded.build();
    }

    private static SegmentEntry decode(io.forebay.formats.manifest.SegmentEntry segment) {
        List<SegmentPart> parts = new ArrayList<>(segment.getPartsCount());
        for (var part : segment.getPartsList()) {
            parts.add(new SegmentPart(
                    part.getPartitionId(),
                    part.getFirstOffset(),
                    part.getNextOffset(),
                    part.getLength(),
                    part.getMaxTimestamp()));
        }
        return new SegmentEntry(ObjectKey.of(segment.getKey()), segment.getSizeBytes(), segment.getLevel(), parts);
    }
}
