package io.forebay.cluster.command;

import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.metadata.ConfigScope;
import io.forebay.formats.metadata.MetadataRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Changes dynamic settings of one topic, broker or group.
 *
 * @param changes made from the settings as they are when the controller decides, so that lists can be appended to
 * @param name topic name, node id (empty: all brokers), group id
 */
public record ChangeSettings(Scope scope, String name, Function<MetadataImage, List<Change>> changes)
        implements Command<Boolean> {

    /** What the settings belong to. */
    public enum Scope {
        TOPIC,
        BROKER,
        GROUP
    }

    /**
     * One setting.
     *
     * @param value empty: back to the default
     */
    public record Change(String key, Optional<String> value) {}

    /** The reply is false if there is no such topic. */
    @Override
    public Decision<Boolean> decide(MetadataImage image, RandomGenerator random) {
        if (scope == Scope.TOPIC && image.topic(name) == null) {
            return new Decision<>(List.of(), false);
        }
        ConfigScope persisted = switch (scope) {
            case TOPIC -> ConfigScope.TOPIC;
            case BROKER -> ConfigScope.BROKER;
            case GROUP -> ConfigScope.GROUP;
        };
        List<MetadataRecord> records = changes.apply(image).stream()
                .map(change -> MetadataImage.setting(persisted, name, change.key(), change.value()))
                .toList();
        return new Decision<>(records, true);
    }
}
