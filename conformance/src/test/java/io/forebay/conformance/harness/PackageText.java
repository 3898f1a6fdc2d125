package io.forebay.conformance.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The real text that is streamed: what {@code apt-cache dumpavail} prints, one stanza for each package version. A record
 * is one field of a stanza with its continuation lines, its key the package's name; so a key has some 15 records whose
 * order matters, and a package's values in order are its text, byte for byte. The blank line behind a stanza belongs to
 * its last record.
 */
public final class PackageText {

    /** Less than this means that the machine's package lists were never loaded. */
    private static final long SMALLEST_BYTES = 10L << 20;

    private static final int LONGEST_STANZA_BYTES = 1 << 20;

    private PackageText() {}

    /** All records of the text, some 50 to 100 MB. */
    public static List<KeyedRecord> all() {
        return records(text(Integer.MAX_VALUE), Integer.MAX_VALUE);
    }

    /** The records of the first stanzas, until {@code bytes} of text are reached. */
    public static List<KeyedRecord> first(int bytes) {
        return records(text(bytes + LONGEST_STANZA_BYTES), bytes);
    }

    private static synchronized byte[] text(int bytes) {
        Path file = Settings.target().resolve("corpus").resolve("packages.txt");
        try {
            if (!Files.exists(file)) {
                dump(file);
            }
            try (InputStream in = Files.newInputStream(file)) {
                return in.readNBytes(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void dump(Path file) throws IOException {
        Installed.require("apt-cache", "apt");
        Files.createDirectories(file.getParent());
        Path part = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
        dumpTo(part);
        if (Files.size(part) < SMALLEST_BYTES) {
            CommandRun.of(List.of("apt-get", "update"));
            dumpTo(part);
        }
        if (Files.size(part) < SMALLEST_BYTES) {
            Files.delete(part);
            Installed.missing("apt-cache dumpavail prints less than " + SMALLEST_BYTES
                    + " bytes even after apt-get update: this machine has no package lists");
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void dumpTo(Path file) throws IOException {
        Process process = new ProcessBuilder("apt-cache", "dumpavail")
                .redirectOutput(file.toFile())
                .redirectError(Redirect.DISCARD)
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException("apt-cache dumpavail ended with " + process.exitValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static List<KeyedRecord> records(byte[] text, int limit) {
        List<KeyedRecord> records = new ArrayList<>();
        int position = 0;
        while (position < text.length && position < limit) {
            int end = stanzaEnd(text, position);
            byte[] key = name(text, position, end);
            int field = position;
            while (field < end) {
                int next = fieldEnd(text, field, end);
                records.add(new KeyedRecord(key, Arrays.copyOfRange(text, field, next)));
                field = next;
            }
            position = end;
        }
        return records;
    }

    private static int stanzaEnd(byte[] text, int from) {
        for (int i = from; i + 1 < text.length; i++) {
            if (text[i] == '\n' && text[i + 1] == '\n') {
                return i + 2;
            }
        }
        return text.length;
    }

    /** A field ends where a line starts with neither a blank nor the end of the stanza. */
    private static int fieldEnd(byte[] text, int from, int end) {
        for (int i = from; i + 1 < end; i++) {
            if (text[i] == '\n' && text[i + 1] != ' ' && text[i + 1] != '\n') {
                return i + 1;
            }
        }
        return end;
    }

    private static byte[] name(byte[] text, int from, int end) {
        byte[] label = "Package: ".getBytes(StandardCharsets.US_ASCII);
        if (!Arrays.equals(text, from, Math.min(from + label.length, end), label, 0, label.length)) {
            throw new IllegalStateException("no package name at position " + from);
        }
        int stop = from;
        while (stop < end && text[stop] != '\n') {
            stop++;
        }
        return Arrays.copyOfRange(text, from + label.length, stop);
    }
}
