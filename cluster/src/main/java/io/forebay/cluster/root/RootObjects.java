package io.forebay.cluster.root;

import com.google.protobuf.InvalidProtocolBufferException;
import io.forebay.formats.metadata.MetadataSnapshot;
import io.forebay.log.journal.Maker;
import io.forebay.store.ObjectKey;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Keys and bytes of the root's objects beside its journals (docs/formats/metadata.md). */
final class RootObjects {

    static final String TERMS = "root/term/";
    static final String SNAPSHOTS = "root/snapshot/";
    /** Of a term without address. */
    private static final int TERM_BYTES = 36;

    private static final int ADDRESS_AT = 32;
    private static final byte TERM_VERSION = 2;

    private static final short TERM_MAGIC = ('F' << 8) | 'R';
    private static final short SNAPSHOT_MAGIC = ('F' << 8) | 'P';
    private static final byte VERSION = 1;
    private static final int SNAPSHOT_HEADER_BYTES = 16;

    private RootObjects() {}

    static ObjectKey term(long term) {
        return ObjectKey.of(TERMS + ObjectKey.padded(term));
    }

    static long termOf(ObjectKey key) {
        return Long.parseLong(key.name());
    }

    static ObjectKey snapshot(long term, long version) {
        return ObjectKey.of(SNAPSHOTS + ObjectKey.padded(term) + "-" + ObjectKey.padded(version));
    }

    static ByteBuffer encodeTerm(int nodeId, Maker maker, long wallMs, String address) {
        byte[] where = address.getBytes(StandardCharsets.UTF_8);
        ByteBuffer b = ByteBuffer.allocate(TERM_BYTES + Short.BYTES + where.length);
        b.putShort(TERM_MAGIC).put(TERM_VERSION).put((byte) 0).putInt(nodeId);
        b.putLong(maker.high()).putLong(maker.low()).putLong(wallMs);
        b.putShort((short) where.length).put(where);
        b.putInt(crc(b.duplicate().flip()));
        return b.flip();
    }

    /** Reads a term of any released version. */
    static TermClaim decodeTerm(ObjectKey key, ByteBuffer b) {
        boolean framed = b.remaining() >= TERM_BYTES && b.getShort(0) == TERM_MAGIC;
        if (framed && b.get(2) > TERM_VERSION) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    key + " has format version " + b.get(2) + ", this Forebay reads versions up to " + TERM_VERSION
                            + ": start a newer one");
        }
        int covered = b.remaining() - Integer.BYTES;
        if (!framed || crc(b.slice(0, covered)) != b.getInt(covered)) {
            throw new StoreException(StoreException.Kind.CORRUPT, key + " is damaged: its CRC does not match");
        }
        byte[] where = new byte[b.get(2) == 1 ? 0 : b.getShort(ADDRESS_AT)];
        b.get(ADDRESS_AT + (b.get(2) == 1 ? 0 : Short.BYTES), where);
        return new TermClaim(
                termOf(key),
                b.getInt(4),
                new Maker(b.getLong(8), b.getLong(16)),
                new String(where, StandardCharsets.UTF_8));
    }

    static ByteBuffer encodeSnapshot(MetadataSnapshot snapshot) {
        byte[] message = snapshot.toByteArray();
        ByteBuffer b = ByteBuffer.allocate(SNAPSHOT_HEADER_BYTES + message.length);
        b.putShort(SNAPSHOT_MAGIC).put(VERSION).put((byte) 0).putInt(message.length);
        b.putInt(crc(ByteBuffer.wrap(message))).putInt(0).put(message);
        return b.flip();
    }

    static MetadataSnapshot decodeSnapshot(ObjectKey key, ByteBuffer b) {
        boolean framed = b.remaining() >= SNAPSHOT_HEADER_BYTES && b.getShort(0) == SNAPSHOT_MAGIC;
        if (framed && b.get(2) != VERSION) {
            throw new StoreException(
                    StoreException.Kind.INVALID,
                    key + " has format version " + b.get(2) + ", this Forebay reads version " + VERSION
                            + ": start a newer one");
        }
        if (!framed || b.remaining() != SNAPSHOT_HEADER_BYTES + b.getInt(4)) {
            throw new StoreException(StoreException.Kind.CORRUPT, key + " is not a metadata snapshot");
        }
        ByteBuffer message = b.slice(SNAPSHOT_HEADER_BYTES, b.getInt(4));
        if (crc(message.duplicate()) != b.getInt(8)) {
            throw new StoreException(StoreException.Kind.CORRUPT, key + " is damaged: its CRC does not match");
        }
        try {
            return MetadataSnapshot.parseFrom(message);
        } catch (InvalidProtocolBufferException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, key + " is damaged", e);
        }
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
