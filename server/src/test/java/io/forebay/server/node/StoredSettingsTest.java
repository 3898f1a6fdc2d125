package io.forebay.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.server.config.ConfigEntry;
import io.forebay.server.config.ConfigReading;
import io.forebay.server.config.ForebayConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoredSettingsTest {

    private static List<ConfigEntry> given(String... sets) {
        return ((ConfigReading.Valid) ForebayConfig.read(Optional.empty(), List.of(sets)))
                .config()
                .entries();
    }

    @Test
    void namesWhatAStoredSettingWinsOver() {
        List<ConfigEntry> given = given("message.max.bytes=5000", "log.retention.hours=3");

        assertThat(StoredSettings.lines(given, Map.of("message.max.bytes", "7000", "log.retention.ms", "1"), Map.of()))
                .containsExactly(
                        "log.retention.ms = 1 (stored) wins over log.retention.hours = 3 (COMMAND_LINE)",
                        "message.max.bytes = 7000 (stored) wins over message.max.bytes = 5000 (COMMAND_LINE)");
    }

    @Test
    void whatIsStoredForThisBrokerIsWhatHolds() {
        assertThat(StoredSettings.lines(
                        given(), Map.of("compression.type", "gzip"), Map.of("compression.type", "zstd")))
                .containsExactly("compression.type = zstd (stored)");
    }

    @Test
    void nothingStoredIsNoLine() {
        assertThat(StoredSettings.lines(given("message.max.bytes=5000"), Map.of(), Map.of()))
                .isEmpty();
    }
}
