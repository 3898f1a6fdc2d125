package io.forebay.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogOutputTest {

    @Test
    void theLogIsTheDefaultOneUnlessAnythingMaySayOtherwise() {
        assertThat(LogOutput.isByDefault("start")).isTrue();
        assertThat(LogOutput.isByDefault("start", "--set", "node.id=2", "--listen", "127.0.0.1:0"))
                .isTrue();

        assertThat(LogOutput.isByDefault("start", "--set", "logging.level=off")).isFalse();
        assertThat(LogOutput.isByDefault("start", "--set=logging.levels=io.netty=debug"))
                .isFalse();
        assertThat(LogOutput.isByDefault("start", "--config", "f")).isFalse();
        assertThat(LogOutput.isByDefault("start", "@arguments")).isFalse();
    }
}
