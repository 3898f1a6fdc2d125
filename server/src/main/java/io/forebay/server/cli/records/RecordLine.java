package io.forebay.server.cli.records;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** What a line becomes: a value, and a key if the line has one. */
final class RecordLine {
    private final Optional<byte[]> key;
    private final byte[] value;

    private RecordLine(Optional<byte[]> key, byte[] value) {
        this.key = key;
        this.value = value;
    }

    /** The whole line as a value. */
    static RecordLine value(byte[] line) {
        return new RecordLine(Optional.empty(), line);
    }

    /** Key and value around the first separator; empty if the line has none. */
    static Optional<RecordLine> keyed(byte[] line, byte[] separator) {
        for (int at = 0; at + separator.length <= line.length; at++) {
            if (Arrays.equals(line, at, at + separator.length, separator, 0, separator.length)) {
                return Optional.of(new RecordLine(
                        Optional.of(Arrays.copyOfRange(line, 0, at)),
                        Arrays.copyOfRange(line, at + separator.length, line.length)));
            }
        }
        return Optional.empty();
    }

    /** A separator as users type it: {@code \t} and {@code \n} stand for tab and line feed. */
    static byte[] separator(String text) {
        return text.replace("\\t", "\t").replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
    }

    Optional<byte[]> key() {
        return key;
    }

    byte[] value() {
        return value;
    }
}
