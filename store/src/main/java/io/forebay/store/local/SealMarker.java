package io.forebay.store.local;

import io.forebay.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The content of a marker file: the end of the file beside it, fixed for ever.
 *
 * <pre>
 *  0               4               8                              16              20
 *  +---------------+---------------+------------------------------+---------------+
 *  | "FSL" and 1   | reserved, 0   | end                          | CRC of 0..15  |
 *  +---------------+---------------+------------------------------+---------------+
 * </pre>
 */
final class SealMarker {

    private static final int MAGIC_AND_VERSION = 'F' << 24 | 'S' << 16 | 'L' << 8 | 1;
    private static final int SIZE_BYTES = 20;

    private SealMarker() {}

    static ByteBuffer encode(long end) {
        ByteBuffer marker = ByteBuffer.allocate(SIZE_BYTES);
        marker.putInt(MAGIC_AND_VERSION).putInt(0).putLong(end);
        marker.putInt(crc(marker.array())).flip();
        return marker;
    }

    /** The end in the marker file, or nothing if there is no such file. */
    static OptionalLong read(Path marker) throws IOException {
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(marker);
        } catch (NoSuchFileException none) {
            return OptionalLong.empty();
        }
        ByteBuffer content = ByteBuffer.wrap(bytes);
        if (bytes.length != SIZE_BYTES
                || content.getInt(0) != MAGIC_AND_VERSION
                || content.getLong(8) < 0
                || content.getInt(16) != crc(bytes)) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT, "'" + marker + "' is not the mark of a sealed end; it is damaged");
        }
        return OptionalLong.of(content.getLong(8));
    }

    private static int crc(byte[] marker) {
        CRC32C crc = new CRC32C();
        crc.update(marker, 0, 16);
        return (int) crc.getValue();
    }
}
