package io.forebay.conformance.clients;

import io.forebay.conformance.harness.CommandRun;
import io.forebay.conformance.harness.Installed;
import io.forebay.conformance.harness.KeyedRecord;
import io.forebay.conformance.harness.RecordFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** kcat, and so librdkafka. */
final class Kcat implements Client {

    private static final char KEY_END = 1;
    private static final char RECORD_END = 2;

    @Override
    public String name() {
        return "kcat";
    }

    @Override
    public Set<String> compressions() {
        return Set.of("none", "gzip", "snappy", "lz4", "zstd");
    }

    @Override
    public void produce(String bootstrap, List<Load> loads) {
        Installed.require("kcat", "kcat");
        for (Load load : loads) {
            Path delimited = load.records().resolveSibling(load.records().getFileName() + ".kcat");
            writeDelimited(delimited, RecordFile.read(load.records()));
            CommandRun ignored = CommandRun.of(List.of(
                            "kcat",
                            "-P",
                            "-q",
                            "-b",
                            bootstrap,
                            "-t",
                            load.topic(),
                            "-z",
                            load.compression(),
                            "-K",
                            "\\x01",
                            "-D",
                            "\\x02",
                            "-X",
                            "acks=all",
                            "-X",
                            "enable.idempotence=true",
                            "-X",
                            "linger.ms=5",
                            "-l",
                            delimited.toString()))
                    .succeeded();
        }
    }

    @Override
    public void consume(String bootstrap, List<Reading> readings) {
        Installed.require("kcat", "kcat");
        for (Reading reading : readings) {
            // kcat writes the record file itself: its format string is made for it.
            String format = "%K %S\\n%k%s\\n";
            CommandRun ignored = CommandRun.of(
                            List.of(
                                    "sh",
                                    "-c",
                                    "exec kcat -C -q -e -o beginning -b \"$0\" -t \"$1\" -f \"$2\" >\"$3\"",
                                    bootstrap,
                                    reading.topic(),
                                    format,
                                    reading.records().toString()),
                            new byte[0],
                            Map.of())
                    .succeeded();
        }
    }

    private static void writeDelimited(Path file, List<KeyedRecord> records) {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            boolean first = true;
            for (KeyedRecord record : records) {
                if (!first) {
                    out.write(RECORD_END);
                }
                first = false;
                assertFree(record.key());
                assertFree(record.value());
                out.write(record.key());
                out.write(KEY_END);
                out.write(record.value());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertFree(byte[] text) {
        String characters = new String(text, StandardCharsets.ISO_8859_1);
        if (characters.indexOf(KEY_END) >= 0 || characters.indexOf(RECORD_END) >= 0) {
            throw new IllegalArgumentException("a record holds one of kcat's delimiters");
        }
    }
}
