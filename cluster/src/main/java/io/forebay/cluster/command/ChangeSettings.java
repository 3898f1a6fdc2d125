package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.TopicImage;
import io.forebay.formats.control.ChangeSettingsCommand;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.SettingChange;
import io.forebay.formats.metadata.ConfigScope;
import io.forebay.formats.metadata.MetadataRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Changes dynamic settings of one topic, broker or group, from what they are when the controller decides, so that lists can be appended to. The
 * reply is false if there is no such topic.
 *
 * @param name topic name, node id (empty: all brokers), group id
 * @param replaceAll settings that are not named go back to their defaults
 */
public record ChangeSettings(Scope scope, String name, boolean replaceAll, List<Change> changes)
        implements NodeCommand<Boolean> {

    /** What the settings belong to. */
    public enum Scope {
        TOPIC,
        BROKER,
        GROUP
    }

    /** What is done to one setting. */
    public enum Operation {
        SET,
        /** Back to the default. */
        DELETE,
        /** Adds items to a list, those that are not in it. */
        APPEND,
        /** Takes items from a list. */
        SUBTRACT
    }

    /**
     * One setting.
     *
     * @param value not looked at for DELETE
     * @param inherited the list that holds where none is set: what is appended to then
     */
    public record Change(String key, Operation operation, String value, String inherited) {}

    public ChangeSettings {
        changes = List.copyOf(changes);
    }

    @Override
    public Decision<Boolean> decide(MetadataImage image, RandomGenerator random) {
        TopicImage topic = scope == Scope.TOPIC ? image.topic(name) : null;
        if (scope == Scope.TOPIC && topic == null) {
            return new Decision<>(List.of(), false);
        }
        Map<String, String> before = topic != null
                ? topic.configs()
                : scope == Scope.BROKER ? image.brokerConfigs(name) : image.groupConfigs(name);
        Map<String, String> after = after(before);
        List<MetadataRecord> records = new ArrayList<>();
        after.forEach((key, value) -> {
            if (!value.equals(before.get(key))) {
                records.add(MetadataImage.setting(persisted(), name, key, Optional.of(value)));
            }
        });
        before.keySet().stream()
                .filter(key -> !after.containsKey(key))
                .forEach(key -> records.add(MetadataImage.setting(persisted(), name, key, Optional.empty())));
        return new Decision<>(records, true);
    }

    /** The own settings after the change, from those before it. */
    public Map<String, String> after(Map<String, String> before) {
        Map<String, String> after = replaceAll ? new HashMap<>() : new HashMap<>(before);
        for (Change change : changes) {
            switch (change.operation()) {
                case SET -> after.put(change.key(), change.value());
                case DELETE -> after.remove(change.key());
                case APPEND, SUBTRACT -> {
                    String now = before.getOrDefault(change.key(), change.inherited());
                    after.put(change.key(), joined(now, change.value(), change.operation() == Operation.APPEND));
                }
            }
        }
        return after;
    }

    private static String joined(String list, String items, boolean add) {
        Set<String> all = new LinkedHashSet<>(itemsOf(list));
        if (add) {
            all.addAll(itemsOf(items));
        } else {
            all.removeAll(itemsOf(items));
        }
        return String.join(",", all);
    }

    private static List<String> itemsOf(String list) {
        return Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    private ConfigScope persisted() {
        return switch (scope) {
            case TOPIC -> ConfigScope.TOPIC;
            case BROKER -> ConfigScope.BROKER;
            case GROUP -> ConfigScope.GROUP;
        };
    }

    @Override
    public ClusterCommand encoded() {
        ChangeSettingsCommand.Builder command = ChangeSettingsCommand.newBuilder()
                .setScope(persisted())
                .setName(name)
                .setReplaceAll(replaceAll);
        changes.forEach(change -> command.addChanges(SettingChange.newBuilder()
                .setKey(change.key())
                .setOperation(change.operation().name())
                .setValue(change.value())
                .setInherited(change.inherited())));
        return ClusterCommand.newBuilder().setChangeSettings(command).build();
    }

    static ChangeSettings decoded(ChangeSettingsCommand command) {
        return new ChangeSettings(
                switch (command.getScope()) {
                    case TOPIC -> Scope.TOPIC;
                    case BROKER -> Scope.BROKER;
                    case GROUP -> Scope.GROUP;
                    default -> throw new IllegalArgumentException("settings of an unknown scope: use a newer version");
                },
                command.getName(),
                command.getReplaceAll(),
                command.getChangesList().stream()
                        .map(change -> new Change(
                                change.getKey(),
                                Operation.valueOf(change.getOperation()),
                                change.getValue(),
                                change.getInherited()))
                        .toList());
    }

    @Override
    public CommandReply encodedReply(Boolean found) {
        return CommandReply.newBuilder().setChangeSettings(found).build();
    }

    @Override
    public Boolean decodedReply(CommandReply reply) {
        return reply.getChangeSettings();
    }
}
