package io.forebay.server.cli.records;

import io.forebay.server.cli.terminal.CommandFailure;
import io.forebay.server.cli.terminal.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** How a record is written out. */
@FunctionalInterface
interface RecordFormat {

    void write(ConsumerRecord<byte[], byte[]> record, OutputStream out) throws IOException;

    /**
     * Reads the name of a format or a pattern.
     *
     * @param separator stands between key and value in the format {@code key-value}
     */
    static RecordFormat of(String text, byte[] separator) {
        return switch (text) {
            case "value" ->
                (record, out) -> {
                    writeBytes(record.value(), out);
                    out.write('\n');
                };
            case "key-value" ->
                (record, out) -> {
                    writeBytes(record.key(), out);
                    out.write(separator);
                    writeBytes(record.value(), out);
                    out.write('\n');
                };
            case "json" ->
                (record, out) -> {
                    out.write(Json.text(json(record)).getBytes(StandardCharsets.UTF_8));
                    out.write('\n');
                };
            default -> pattern(text);
        };
    }

    private static RecordFormat pattern(String text) {
        if (text.indexOf('%') < 0) {
            throw CommandFailure.usage("bad value '" + text + "' for --format: expected value, key-value, json, or a"
                    + " pattern with %t %p %o %k %v %T %h %K %S");
        }
        List<RecordFormat> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean escape = (c == '%' || c == '\\') && i + 1 < text.length();
            if (!escape) {
                literal.append(c);
                continue;
            }
            char letter = text.charAt(++i);
            if (c == '\\') {
                literal.append(unescape(letter));
            } else if (letter == '%') {
                literal.append('%');
            } else {
                addLiteral(literal, parts);
                parts.add(field(letter));
            }
        }
        addLiteral(literal, parts);
        return (record, out) -> {
            for (RecordFormat part : parts) {
                part.write(record, out);
            }
        };
    }

    private static void addLiteral(StringBuilder literal, List<RecordFormat> parts) {
        byte[] bytes = literal.toString().getBytes(StandardCharsets.UTF_8);
        literal.setLength(0);
        if (bytes.length > 0) {
            parts.add((record, out) -> out.write(bytes));
        }
    }

    private static RecordFormat field(char letter) {
        return switch (letter) {
            case 't' -> (record, out) -> writeText(record.topic(), out);
            case 'p' -> (record, out) -> writeText(record.partition(), out);
            case 'o' -> (record, out) -> writeText(record.offset(), out);
            case 'T' -> (record, out) -> writeText(record.timestamp(), out);
            case 'k' -> (record, out) -> writeBytes(record.key(), out);
            case 'v', 's' -> (record, out) -> writeBytes(record.value(), out);
            case 'K' -> (record, out) -> writeText(record.key() == null ? -1 : record.key().length, out);
            case 'S' -> (record, out) -> writeText(record.value() == null ? -1 : record.value().length, out);
            case 'h' -> RecordFormat::writeHeaders;
            default ->
                throw CommandFailure.usage("bad field '%" + letter + "' in --format: expected %t topic, %p partition,"
                        + " %o offset, %k key, %v value, %T timestamp, %h headers, %K and %S length of key and value,"
                        + " %%");
        };
    }

    private static char unescape(char letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case '0' -> '\0';
            default -> letter;
        };
    }

    private static void writeHeaders(ConsumerRecord<byte[], byte[]> record, OutputStream out) throws IOException {
        String before = "";
        for (Header header : record.headers()) {
            writeText(before + header.key() + "=", out);
            writeBytes(header.value(), out);
            before = ",";
        }
    }

    private static void writeText(Object value, OutputStream out) throws IOException {
        out.write(value.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void writeBytes(byte @Nullable [] bytes, OutputStream out) throws IOException {
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private static Map<String, Object> json(ConsumerRecord<byte[], byte[]> record) {
        Map<String, Object> result = Json.object(
                "topic",
                record.topic(),
                "partition",
                record.partition(),
                "offset",
                record.offset(),
                "timestamp",
                record.timestamp());
        put(result, "key", record.key());
        put(result, "value", record.value());
        List<Object> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            Map<String, Object> one = Json.object("name", header.key());
            put(one, "value", header.value());
            headers.add(one);
        }
        result.put("headers", headers);
        return result;
    }

    /** Text where the bytes are text; otherwise Base64 under a name that says so. */
    private static void put(Map<String, Object> target, String name, byte @Nullable [] bytes) {
        if (bytes == null) {
            target.put(name, Optional.empty());
            return;
        }
        try {
            target.put(
                    name,
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (CharacterCodingException e) {
            target.put(name + "Base64", Base64.getEncoder().encodeToString(bytes));
        }
    }
}
