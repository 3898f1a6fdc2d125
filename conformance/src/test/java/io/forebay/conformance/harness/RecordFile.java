package io.forebay.conformance.harness;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Records in a file, as the client programs of all languages read and write them: per record the key's and the value's
 * length in decimal, separated by a space, a newline, both byte strings, a newline. Uses nothing outside the JDK: it also
 * runs beside old clients.
 */
public final class RecordFile {

    private RecordFile() {}

    /** Appends records to a new file. Not thread safe. */
    public static final class Writer implements Closeable {
        private final OutputStream out;

        /** Creates or replaces {@code file}. */
        public Writer(Path file) throws IOException {
            this.out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
        }

        /** Appends one record. */
        public void write(byte[] key, byte[] value) throws IOException {
            out.write((key.length + " " + value.length + "\n").getBytes(StandardCharsets.US_ASCII));
            out.write(key);
            out.write(value);
            out.write('\n');
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /** Writes all {@code records} to {@code file}. */
    public static void write(Path file, List<KeyedRecord> records) {
        try (Writer writer = new Writer(file)) {
            for (KeyedRecord record : records) {
                writer.write(record.key(), record.value());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads all records of {@code file}. A missing key (length -1) comes back as an empty one. */
    public static List<KeyedRecord> read(Path file) {
        List<KeyedRecord> records = new ArrayList<>();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            for (int first = in.read(); first >= 0; first = in.read()) {
                int keyLength = readNumber(in, first, ' ');
                int valueLength = readNumber(in, in.read(), '\n');
                byte[] key = readBytes(in, Math.max(keyLength, 0));
                byte[] value = readBytes(in, Math.max(valueLength, 0));
                if (in.read() != '\n') {
                    throw new IOException("record " + records.size() + " of " + file + " has no end");
                }
                records.add(new KeyedRecord(key, value));
            }
            return records;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] readBytes(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the file ends inside a record");
        }
        return bytes;
    }

    private static int readNumber(InputStream in, int first, char end) throws IOException {
        int sign = first == '-' ? -1 : 1;
        int number = 0;
        for (int c = first == '-' ? in.read() : first; c != end; c = in.read()) {
            if (c < '0' || c > '9') {
                throw new IOException("not a digit: " + c);
            }
            number = number * 10 + (c - '0');
        }
        return sign * number;
    }
}
