package io.forebay.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.cluster.image.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForebayConfigTest {

    @Test
    void defaultsAreValidTogether() {
        assertThat(problems()).isEmpty();

        ForebayConfig config = valid();

        assertThat(config).isEqualTo(ForebayConfig.defaults());
        assertThat(config.network().listen()).isEqualTo(new HostPort("127.0.0.1", 9092));
        assertThat(config.network().advertised()).isEqualTo(config.network().listen());
        assertThat(config.store().settings())
                .containsEntry("store.local.sync", "always")
                .containsEntry("store.local.reserve.bytes", "33554432");
        assertThat(config.journal()).isEqualTo(new JournalConfig(128L << 20, 1, 10_000, 4L << 30, 250, 8));
        assertThat(config.topics().retentionMs()).isEqualTo(7 * 86_400_000L);
        assertThat(config.threads().net()).isPositive();
    }

    @Test
    void relativeFolderBecomesAnAbsoluteFileUri() {
        ForebayConfig config = valid("store=./some where");

        assertThat(config.store().location().getScheme()).isEqualTo("file");
        assertThat(Path.of(config.store().location()))
                .isEqualTo(Path.of("some where").toAbsolutePath());
    }

    @Test
    void uriOfAnotherStoreIsKept() {
        assertThat(valid("store=s3://bucket/prefix").store().location()).hasToString("s3://bucket/prefix");
    }

    @Test
    void unknownKeyIsRefusedWithTheNearestOne() {
        assertThat(problems("store.local.snyc=os"))
                .containsExactly("unknown setting 'store.local.snyc'; did you mean 'store.local.sync'?");
        assertThat(problems("socket.request.max.bytes=1"))
                .containsExactly("unknown setting 'socket.request.max.bytes'; did you mean 'request.max.bytes'?");
        assertThat(problems("zookeeper=1"))
                .containsExactly("unknown setting 'zookeeper'; 'forebay start --help-config' lists them all");
    }

    @Test
    void badValueIsRefusedWithRangeAndUnit() {
        assertThat(problems("journal.file.bytes=3"))
                .containsExactly("bad value '3' for 'journal.file.bytes': expected 1MiB to 1GiB (bytes)");
        assertThat(problems("store.local.sync=sometimes"))
                .containsExactly("bad value 'sometimes' for 'store.local.sync': expected one of always, os");
        assertThat(problems("connections.max.idle.ms=soon"))
                .containsExactly("bad value 'soon' for 'connections.max.idle.ms': expected 1s to 365d (milliseconds)");
    }

    @Test
    void everyProblemIsToldAtOnceWithItsPlace() {
        ConfigText file =
                new ConfigText("my.conf", List.of("# comment", "", "cache.cold.bytes = 1", "what", "node.id = 7"));

        ConfigReading reading = ForebayConfig.read(Optional.of(file), List.of("num.partition=3", "oops"));

        assertThat(((ConfigReading.Refused) reading).problems())
                .containsExactly(
                        "my.conf:4: expected 'key = value' but found 'what'",
                        "my.conf:3: bad value '1' for 'cache.cold.bytes': expected 4MiB to 1TiB (bytes)",
                        "expected --set key=value but found 'oops'",
                        "unknown setting 'num.partition'; did you mean 'num.partitions'?");
    }

    @Test
    void sameKeyTwiceInTheFileIsRefused() {
        ConfigText file = new ConfigText("f", List.of("node.id=1", "node.id=2"));

        ConfigReading reading = ForebayConfig.read(Optional.of(file), List.of());

        assertThat(((ConfigReading.Refused) reading).problems())
                .containsExactly("f:2: 'node.id' is set twice, first at f:1");
    }

    @Test
    void commandLineWinsOverFileAndTheLastOfSeveralWins() {
        ConfigText file = new ConfigText("f", List.of("node.id = 1", "num.partitions = 4"));

        ConfigReading reading = ForebayConfig.read(Optional.of(file), List.of("node.id=2", "node.id=3"));

        ForebayConfig config = ((ConfigReading.Valid) reading).config();
        assertThat(config.node().id()).isEqualTo(3);
        assertThat(config.topics().partitions()).isEqualTo(4);
        assertThat(config.entries())
                .anyMatch(e -> e.key().equals("node.id") && e.source() == ConfigEntry.Source.COMMAND_LINE)
                .anyMatch(e -> e.key().equals("num.partitions") && e.source() == ConfigEntry.Source.FILE)
                .anyMatch(e -> e.key().equals("cache.cold.bytes")
                        && e.source() == ConfigEntry.Source.DEFAULT
                        && e.value().equals("67108864"));
    }

    @Test
    void unitsAreUnderstood() {
        assertThat(valid("cache.cold.bytes=512 MiB").cache().coldBytes()).isEqualTo(512L << 20);
        assertThat(valid("cache.cold.bytes=536870912").cache().coldBytes()).isEqualTo(512L << 20);
        assertThat(valid("connections.max.idle.ms=5m").network().connectionsMaxIdleMs())
                .isEqualTo(300_000);
        assertThat(problems("cache.cold.bytes=512MB")).hasSize(1);
    }

    @Test
    void finestRetentionUnitCounts() {
        assertThat(valid("log.retention.hours=1").topics().retentionMs()).isEqualTo(3_600_000);
        assertThat(valid("log.retention.hours=1", "log.retention.minutes=2")
                        .topics()
                        .retentionMs())
                .isEqualTo(120_000);
        assertThat(valid("log.retention.minutes=2", "log.retention.ms=1500")
                        .topics()
                        .retentionMs())
                .isEqualTo(1_500);
        assertThat(valid("log.retention.ms=-1").topics().retentionMs()).isEqualTo(-1);
        assertThat(valid("log.retention.hours=-1").topics().retentionMs()).isEqualTo(-1);
    }

    @Test
    void settingsThatContradictEachOtherAreRefused() {
        assertThat(problems("message.max.bytes=200MiB"))
                .containsExactly(
                        "'message.max.bytes' (200MiB) must not be larger than 'request.max.bytes' (100MiB)",
                        "'message.max.bytes' (200MiB) must not be larger than 'journal.file.bytes' (128MiB)");
        assertThat(problems("listen=0.0.0.0:9092"))
                .containsExactly("'listen' is 0.0.0.0:9092, which clients cannot connect to: set 'advertise' to the"
                        + " HOST:PORT they should use");
        assertThat(problems("listen=0.0.0.0:9092", "advertise=queue.example.org:9092"))
                .isEmpty();
    }

    @Test
    void nodeIsAloneUnlessToldOtherwise() {
        ForebayConfig config = valid();

        assertThat(config.cluster()).isEqualTo(new ClusterConfig(Optional.empty(), Optional.empty(), 3_000));
        assertThat(config.node().rack()).isEmpty();
        assertThat(config.node().roles()).containsExactlyInAnyOrder(Role.values());
    }

    @Test
    void nodeOfAClusterIsToldWhereItListensAndWhatItIsFor() {
        ForebayConfig config = valid(
                "cluster.listen=127.0.0.1:0",
                "cluster.session.timeout.ms=5s",
                "node.rack=zone-a",
                "node.roles=Controller, broker");

        assertThat(config.cluster().listen()).contains(new HostPort("127.0.0.1", 0));
        assertThat(config.cluster().sessionTimeoutMs()).isEqualTo(5_000);
        assertThat(config.cluster().announced(7001)).isEqualTo(new HostPort("127.0.0.1", 7001));
        assertThat(config.node().rack()).isEqualTo("zone-a");
        assertThat(config.node().roles()).containsExactlyInAnyOrder(Role.BROKER, Role.CONTROLLER);
    }

    @Test
    void otherNodesAreToldTheAdvertisedAddress() {
        assertThat(valid("cluster.listen=0.0.0.0:9096", "cluster.advertised=n1.example.org:9999")
                        .cluster()
                        .announced(9096))
                .isEqualTo(new HostPort("n1.example.org", 9999));
        assertThat(valid("cluster.listen=0.0.0.0:0", "cluster.advertised=n1.example.org:0")
                        .cluster()
                        .announced(7001))
                .isEqualTo(new HostPort("n1.example.org", 7001));
    }

    @Test
    void clusterSettingsThatCannotWorkAreRefused() {
        assertThat(problems("cluster.listen=0.0.0.0:9096"))
                .containsExactly("'cluster.listen' is 0.0.0.0:9096, which other nodes cannot connect to: set"
                        + " 'cluster.advertised' to the HOST:PORT they should use");
        assertThat(problems("cluster.listen=10.0.0.1:9096", "cluster.advertised=[::]:9096"))
                .containsExactly("'cluster.advertised' is [::]:9096, which other nodes cannot connect to");
        assertThat(problems("cluster.advertised=n1:9096"))
                .containsExactly("'cluster.advertised' is n1:9096, but the node has no control port: set"
                        + " 'cluster.listen' too");
        assertThat(problems("node.roles=broker"))
                .containsExactly("'node.roles' lacks coordinator and controller, and a node without 'cluster.listen' is"
                        + " alone on its store and has to do everything: set 'cluster.listen', or leave 'node.roles'"
                        + " away");
        assertThat(problems("cluster.listen=127.0.0.1:9092"))
                .containsExactly(
                        "'cluster.listen' and 'listen' are both 127.0.0.1:9092: nodes and clients need a port each");
        assertThat(problems("node.roles="))
                .containsExactly(
                        "bad value '' for 'node.roles': expected one or more of broker,coordinator,controller");
        assertThat(problems("node.roles=broker,leader")).hasSize(1);
        assertThat(problems("cluster.session.timeout.ms=100"))
                .containsExactly(
                        "bad value '100' for 'cluster.session.timeout.ms': expected 500ms to 10m (milliseconds)");
        assertThat(problems("cluster.listen=9096"))
                .containsExactly(
                        "bad value '9096' for 'cluster.listen': expected HOST:PORT, port 0 to 65535, or empty");
    }

    @Test
    void groupSettingsComeOutAsKafkaWantsThem() {
        GroupConfig groups = valid("group.min.session.timeout.ms=1s").groups();

        assertThat(groups.kafkaProperties())
                .containsEntry("group.min.session.timeout.ms", "1000")
                .containsEntry("offsets.retention.check.interval.ms", "600000")
                .containsEntry("group.consumer.migration.policy", "bidirectional");
        assertThat(groups.offsetsTopicPartitions()).isEqualTo(16);
    }

    @Test
    void everySettingOfTheStoreIsHandedOn() {
        ForebayConfig config = valid();

        assertThat(config.store().settings().keySet())
                .containsExactlyInAnyOrderElementsOf(config.entries().stream()
                        .map(ConfigEntry::key)
                        .filter(key -> key.startsWith("store."))
                        .toList());
    }

    @Test
    void loggerLevelsAreRead() {
        LoggingConfig logging = valid("logging.level=WARN", "logging.levels=io.forebay.kafka=debug, x=off")
                .logging();

        assertThat(logging.level()).isEqualTo(LoggingConfig.Level.WARN);
        assertThat(logging.loggers())
                .containsExactly(
                        new LoggingConfig.LoggerLevel("io.forebay.kafka", LoggingConfig.Level.DEBUG),
                        new LoggingConfig.LoggerLevel("x", LoggingConfig.Level.OFF));
        assertThat(problems("logging.levels=nonsense")).hasSize(1);
    }

    private static ForebayConfig valid(String... sets) {
        ConfigReading reading = ForebayConfig.read(Optional.empty(), List.of(sets));
        assertThat(reading).isInstanceOf(ConfigReading.Valid.class);
        return ((ConfigReading.Valid) reading).config();
    }

    private static List<String> problems(String... sets) {
        return ForebayConfig.read(Optional.empty(), List.of(sets))
                .fold(valid -> List.of(), ConfigReading.Refused::problems);
    }
}
