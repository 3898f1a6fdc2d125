package io.forebay.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The configuration files of the page about clusters are such. */
class ClusterPageTest {

    private static final Pattern FILE = Pattern.compile("(?ms)^```properties\n(.*?)^```$");

    @Test
    void configurationFilesOfThePageAreValid() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "operating", "cluster.md"));
        List<String> files = FILE.matcher(page)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();

        assertThat(files).hasSize(5);
        for (String file : files) {
            ConfigReading reading = ForebayConfig.read(
                    Optional.of(new ConfigText("file", file.lines().toList())), List.of());
            assertThat(reading.fold(valid -> List.of(), ConfigReading.Refused::problems))
                    .isEmpty();
            assertThat(((ConfigReading.Valid) reading).config().cluster().listen())
                    .isPresent();
        }
    }
}
