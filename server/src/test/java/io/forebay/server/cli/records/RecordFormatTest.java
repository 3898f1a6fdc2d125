package io.forebay.server.cli.records;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordFormatTest {

    @Test
    void valueIsItsBytesAndALineFeed() throws IOException {
        assertThat(written("value", bytes("k"), new byte[] {(byte) 0xff, 0})).isEqualTo("\u00ff\u0000\n");
        assertThat(written("value", null, null)).isEqualTo("\n");
    }

    @Test
    void keyAndValueStandAroundTheSeparator() throws IOException {
        assertThat(written("key-value", bytes("k"), bytes("v"))).isEqualTo("k\tv\n");
        assertThat(written("key-value", null, bytes("v"))).isEqualTo("\tv\n");
    }

    @Test
    void jsonHasEverythingAndBase64WhereBytesAreNoText() throws IOException {
        assertThat(written("json", null, new byte[] {(byte) 0xff}))
                .isEqualTo("{\"topic\":\"t\",\"partition\":2,\"offset\":17,\"timestamp\":99,\"key\":null,"
                        + "\"valueBase64\":\"/w==\",\"headers\":[{\"name\":\"h\",\"value\":\"x\"}]}\n");
    }

    @Test
    void patternHasFieldsEscapesAndText() throws IOException {
        assertThat(written("%t/%p/%o/%T [%k] (%v) %h %K %S %%\\n\\t!", bytes("key"), bytes("value")))
                .isEqualTo("t/2/17/99 [key] (value) h=x 3 5 %\n\t!");
        assertThat(written("%K %S", null, null)).isEqualTo("-1 -1");
    }

    @Test
    void firstSeparatorOfALineEndsTheKey() {
        RecordLine line =
                RecordLine.keyed(bytes("a::b::c"), RecordLine.separator("::")).orElseThrow();

        assertThat(line.key().map(String::new)).contains("a");
        assertThat(new String(line.value(), StandardCharsets.UTF_8)).isEqualTo("b::c");
        assertThat(RecordLine.keyed(bytes("abc"), bytes(":"))).isEmpty();
        assertThat(RecordLine.separator("\\t")).isEqualTo(bytes("\t"));
    }

    private static String written(String format, byte @Nullable [] key, byte @Nullable [] value) throws IOException {
        RecordHeaders headers = new RecordHeaders();
        headers.add("h", bytes("x"));
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(
                "t", 2, 17L, 99L, TimestampType.CREATE_TIME, 0, 0, key, value, headers, Optional.empty());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RecordFormat.of(format, bytes("\t")).write(record, out);
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
