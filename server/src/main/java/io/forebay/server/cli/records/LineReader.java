package io.forebay.server.cli.records;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** Lines of bytes that end with a line feed, which is not part of them; the last may end with the input instead. */
final class LineReader {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;

    LineReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /** The next line, empty at the end of the input. */
    Optional<byte[]> next() throws IOException {
        ByteArrayOutputStream longLine = null;
        while (true) {
            if (position == limit) {
                limit = in.read(buffer, 0, buffer.length);
                position = 0;
                if (limit <= 0) {
                    limit = 0;
                    return longLine == null ? Optional.empty() : Optional.of(longLine.toByteArray());
                }
            }
            int end = position;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            boolean complete = end < limit;
            if (complete && longLine == null) {
                byte[] line = Arrays.copyOfRange(buffer, position, end);
                position = end + 1;
                return Optional.of(line);
            }
            if (longLine == null) {
                longLine = new ByteArrayOutputStream();
            }
            longLine.write(buffer, position, end - position);
            if (longLine.size() > maxLineBytes) {
                throw new IOException("it is longer than " + maxLineBytes + " bytes");
            }
            position = complete ? end + 1 : end;
            if (complete) {
                return Optional.of(longLine.toByteArray());
            }
        }
    }
}
