package io.forebay.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.ForebayProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a server writes to standard error is what it was told to. */
class ServerLogTest {

    private static String logOf(String name, Map<String, String> settings) {
        Path store = BrokerExtension.freshFolder(name);
        try (ForebayProcess server = new ForebayProcess(name, store, settings)) {
            server.start();
            assertThat(server.stop()).isZero();
            return server.logTail();
        }
    }

    @Test
    void linesHaveTheTimeAndTellOfTheEnd() {
        String log = logOf("ServerLogTest-default", Map.of());

        assertThat(log.lines().skip(1).limit(1))
                .allMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*starts node 1.*"));
        assertThat(log).contains("stopping (signal)").containsPattern("stopped\\s*$");
    }

    @Test
    void theLevelIsTheOneThatWasSet() {
        assertThat(logOf("ServerLogTest-off", Map.of("logging.level", "off"))
                        .lines()
                        .skip(1))
                .isEmpty();
        assertThat(logOf("ServerLogTest-warn", Map.of("logging.level", "warn"))).doesNotContain("starts node");
    }
}
