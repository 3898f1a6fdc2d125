package io.forebay.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Keeps the written pages equal to the table. To write them anew: {@code mvn -pl server -am test
 * -Dtest=ConfigPagesTest -Dsurefire.failIfNoSpecifiedTests=false -Dforebay.write.pages=true}.
 */
class ConfigPagesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void documentationPageIsTheTable() throws IOException {
        compareOrWrite(ROOT.resolve("docs/configuration.md"), ConfigPages.markdown());
    }

    @Test
    void commentedFileIsTheTable() throws IOException {
        compareOrWrite(ROOT.resolve("conf/forebay.properties"), ConfigPages.propertiesFile());
    }

    @Test
    void commentedFileWithEveryLineActiveGivesTheDefaults() {
        List<String> lines = ConfigPages.propertiesFile()
                .lines()
                .map(line -> line.matches("#[a-z].*") ? line.substring(1) : line)
                .toList();

        ConfigReading reading = ForebayConfig.read(Optional.of(new ConfigText("all", lines)), List.of());

        assertThat(reading).isInstanceOf(ConfigReading.Valid.class);
        ForebayConfig config = ((ConfigReading.Valid) reading).config();
        assertThat(config.network()).isEqualTo(ForebayConfig.defaults().network());
        assertThat(config.topics()).isEqualTo(ForebayConfig.defaults().topics());
        assertThat(config.groups()).isEqualTo(ForebayConfig.defaults().groups());
        assertThat(config.entries()).noneMatch(entry -> entry.source() == ConfigEntry.Source.DEFAULT);
    }

    @Test
    void keysAreUniqueAndEverySentenceEnds() {
        assertThat(Settings.all().stream().map(Setting::key)).doesNotHaveDuplicates();
        assertThat(Settings.all()).allMatch(setting -> setting.doc().endsWith("."));
    }

    private static void compareOrWrite(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("forebay.write.pages")) {
            Files.createDirectories(file.resolveSibling("."));
            Files.writeString(file, expected);
        }
        assertThat(Files.readString(file)).isEqualTo(expected);
    }
}
