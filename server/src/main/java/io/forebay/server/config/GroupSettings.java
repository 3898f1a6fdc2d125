package io.forebay.server.config;

import static io.forebay.server.config.SettingType.amount;
import static io.forebay.server.config.SettingType.choice;
import static io.forebay.server.config.SettingType.count;
import static io.forebay.server.config.SettingType.intBytes;
import static io.forebay.server.config.SettingType.intMillis;
import static io.forebay.server.config.SettingType.millis;

import java.util.ArrayList;
import java.util.List;

/**
 * The part of the table that configures consumer groups. Every key here is one of Kafka's group coordinator and is
 * handed to it by that name, as a plain number without a unit.
 */
final class GroupSettings {
    private static final String GROUPS = "Consumer groups";
    private static final int MAX_INT = Integer.MAX_VALUE;
    private static final List<Setting<?>> TABLE = new ArrayList<>();

    static final Setting<Integer> OFFSETS_TOPIC_PARTITIONS = new Setting<>(
            "offsets.topic.num.partitions",
            GROUPS,
            count(1, 10_000),
            "16",
            "Partitions of the internal topic for groups; it counts when a store is first used and is fixed from then"
                    + " on (Kafka: 50).");

    static {
        TABLE.add(OFFSETS_TOPIC_PARTITIONS);
        addOffsets();
        addClassic();
        addConsumerProtocol();
    }

    private GroupSettings() {}

    /** All of them, in the order of the documentation. */
    static List<Setting<?>> all() {
        return List.copyOf(TABLE);
    }

    static void addTo(List<Setting<?>> table) {
        table.addAll(TABLE);
    }

    private static void addOffsets() {
        add(
                "offsets.retention.minutes",
                amount("minutes", 1, MAX_INT),
                "10080",
                "How long the offsets of a group without members are kept.");
        add(
                "offsets.retention.check.interval.ms",
                millis(1, Long.MAX_VALUE),
                "10m",
                "Time between two looks for offsets that have expired.");
        add(
                "offsets.commit.timeout.ms",
                intMillis(1, MAX_INT),
                "5s",
                "How long the coordinator waits for a write of its own to be durable.");
        add("offset.metadata.max.bytes", intBytes(0, 1 << 20), "4096", "Largest note that can go with an offset.");
        add("group.coordinator.threads", count(1, 64), "2", "Threads that run the group coordinator (Kafka: 4).");
        add(
                "group.coordinator.append.linger.ms",
                amount("milliseconds", -1, 60_000),
                "-1",
                "How long the coordinator gathers writes before one flush; -1 adapts to the load.");
    }

    private static void addClassic() {
        add(
                "group.initial.rebalance.delay.ms",
                intMillis(0, MAX_INT),
                "0",
                "How long a new classic group waits for more members before its first assignment (Kafka: 3 s, and 0 in"
                        + " the file it ships).");
        add(
                "group.min.session.timeout.ms",
                intMillis(1, MAX_INT),
                "6s",
                "Shortest session time-out a member of a classic group may ask for.");
        add(
                "group.max.session.timeout.ms",
                intMillis(1, MAX_INT),
                "30m",
                "Longest session time-out a member of a classic group may ask for.");
        add("group.max.size", count(1, MAX_INT), "2147483647", "Most members of a classic group.");
    }

    private static void addConsumerProtocol() {
        add(
                "group.consumer.session.timeout.ms",
                intMillis(1, MAX_INT),
                "45s",
                "Time without a heartbeat after which a member of a consumer-protocol group is removed.");
        add(
                "group.consumer.min.session.timeout.ms",
                intMillis(1, MAX_INT),
                "45s",
                "Shortest session time-out that a group's own configuration may set.");
        add(
                "group.consumer.max.session.timeout.ms",
                intMillis(1, MAX_INT),
                "60s",
                "Longest session time-out that a group's own configuration may set.");
        add(
                "group.consumer.heartbeat.interval.ms",
                intMillis(1, MAX_INT),
                "5s",
                "Time between two heartbeats that members are told.");
        add(
                "group.consumer.min.heartbeat.interval.ms",
                intMillis(1, MAX_INT),
                "5s",
                "Shortest heartbeat interval that a group's own configuration may set.");
        add(
                "group.consumer.max.heartbeat.interval.ms",
                intMillis(1, MAX_INT),
                "15s",
                "Longest heartbeat interval that a group's own configuration may set.");
        add("group.consumer.max.size", count(1, MAX_INT), "2147483647", "Most members of a consumer-protocol group.");
        add(
                "group.consumer.migration.policy",
                choice("bidirectional", "upgrade", "downgrade", "disabled"),
                "bidirectional",
                "Which way a group may change between the classic and the consumer protocol while it has members.");
        add(
                "group.consumer.regex.refresh.interval.ms",
                intMillis(10_000, MAX_INT),
                "10m",
                "Time between two looks for new topics that match a subscribed pattern.");
    }

    private static void add(String key, SettingType<?> type, String defaultText, String doc) {
        TABLE.add(new Setting<>(key, GROUPS, type, defaultText, doc));
    }
}
