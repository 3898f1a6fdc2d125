package io.forebay.server.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JavaCommandTest {

    private static final List<String> OPTIONS =
            List.of("-Xmx1g", "-Xms64m", "-Xlog:disable", "-agentlib:jdwp=x", "-XX:ArchiveClassesAtExit=a");

    @Test
    void repeatsThisProcessWithASmallHeap() {
        assertThat(JavaCommand.of("/j/java", OPTIONS, "a.jar:b.jar", false))
                .containsExactly(
                        "/j/java",
                        "-Xlog:disable",
                        "-Xms32m",
                        "-Xmx256m",
                        "-cp",
                        "a.jar:b.jar",
                        "io.forebay.server.Main");
    }

    @Test
    void keepsTheHeapThatWasAskedFor() {
        assertThat(JavaCommand.of("/j/java", OPTIONS, "a.jar", true)).contains("-Xmx1g", "-Xms64m");
    }
}
