package io.forebay.broker.admin;

import io.forebay.broker.admin.Admin.AlteredConfigs;
import io.forebay.broker.admin.Admin.ConfigAlteration;
import io.forebay.broker.admin.Admin.ConfigChange;
import io.forebay.broker.admin.Admin.ConfigEntry;
import io.forebay.broker.admin.Admin.ConfigOperation;
import io.forebay.broker.admin.Admin.ConfigSynonym;
import io.forebay.broker.admin.Admin.DescribedConfigs;
import io.forebay.broker.session.NodeSessions;
import io.forebay.cluster.command.ChangeSettings;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.TopicImage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.jspecify.annotations.Nullable;

/** Describing and altering of configurations of topics and brokers. Thread-safe. */
final class ConfigAdmin {

    /** One setting in three units; the finest that is set counts. */
    private static final List<String> RETENTION =
            List.of("log.retention.ms", "log.retention.minutes", "log.retention.hours");

    private final String nodeId;
    private final NodeSessions sessions;
    private final TopicSettings settings;
    private final ConfigDefaults defaults;

    ConfigAdmin(int nodeId, NodeSessions sessions, TopicSettings settings, ConfigDefaults defaults) {
        this.nodeId = Integer.toString(nodeId);
        this.sessions = sessions;
        this.settings = settings;
        this.defaults = defaults;
    }

    DescribedConfigs describe(ConfigResource resource, @Nullable List<String> names) {
        ClusterImage image = sessions.image();
        return switch (resource.type()) {
            case TOPIC -> {
                TopicImage topic = image.topic(resource.name());
                yield topic == null
                        ? described(resource, Errors.UNKNOWN_TOPIC_OR_PARTITION, "", List.of(), names)
                        : described(resource, Errors.NONE, "", settings.describe(topic.configs(), image), names);
            }
            case BROKER ->
                resource.name().isEmpty() || resource.name().equals(nodeId)
                        ? described(resource, Errors.NONE, "", brokerEntries(resource.name(), image), names)
                        : described(
                                resource,
                                Errors.INVALID_REQUEST,
                                "this is broker " + nodeId + ", not " + resource.name(),
                                List.of(),
                                names);
            default ->
                described(
                        resource,
                        Errors.INVALID_REQUEST,
                        "settings of " + resource.type() + " are not kept here",
                        List.of(),
                        names);
        };
    }

    private static DescribedConfigs described(
            ConfigResource resource,
            Errors error,
            String message,
            List<ConfigEntry> entries,
            @Nullable List<String> names) {
        List<ConfigEntry> wanted = names == null
                ? entries
                : entries.stream().filter(entry -> names.contains(entry.name())).toList();
        return new DescribedConfigs(resource, error, message, wanted);
    }

    private List<ConfigEntry> brokerEntries(String name, ClusterImage image) {
        Map<String, List<ConfigSynonym>> stored = new LinkedHashMap<>();
        if (!name.isEmpty()) {
            addStored(stored, image.brokerConfigs(name), ConfigSource.DYNAMIC_BROKER_CONFIG);
        }
        addStored(stored, image.brokerConfigs(""), ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
        List<ConfigEntry> entries = new ArrayList<>();
        stored.forEach((key, values) -> {
            List<ConfigSynonym> synonyms = new ArrayList<>(values);
            if (!name.isEmpty()) {
                synonyms.addAll(withoutStored(key));
            }
            ConfigSynonym first = values.get(0);
            entries.add(
                    new ConfigEntry(key, first.value(), first.source(), ConfigType.STRING, false, false, synonyms, ""));
        });
        if (!name.isEmpty()) {
            defaults.brokerEntries().stream()
                    .filter(entry -> !stored.containsKey(entry.name()))
                    .forEach(entries::add);
        }
        return entries;
    }

    private static void addStored(
            Map<String, List<ConfigSynonym>> stored, Map<String, String> configs, ConfigSource source) {
        configs.forEach((key, value) ->
                stored.computeIfAbsent(key, unused -> new ArrayList<>()).add(new ConfigSynonym(key, value, source)));
    }

    /** What would hold if nothing were stored: the node's own value of the setting, or of its coarser names. */
    private List<ConfigSynonym> withoutStored(String key) {
        List<String> names = key.equals(RETENTION.get(0)) ? RETENTION : List.of(key);
        return defaults.brokerEntries().stream()
                .filter(entry -> names.contains(entry.name())
                        && entry.value() != null
                        && !entry.value().isEmpty())
                .flatMap(entry -> entry.synonyms().stream())
                .toList();
    }

    CompletableFuture<List<AlteredConfigs>> alter(List<ConfigAlteration> alterations, boolean validateOnly) {
        List<CompletableFuture<AlteredConfigs>> answers = new ArrayList<>();
        Set<ConfigResource> seen = new HashSet<>();
        for (ConfigAlteration alteration : alterations) {
            answers.add(
                    seen.add(alteration.resource())
                            ? alterOne(alteration, validateOnly)
                            : refused(
                                    alteration, Errors.INVALID_REQUEST, "the resource is named twice in one request"));
        }
        return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
                .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<AlteredConfigs> alterOne(ConfigAlteration alteration, boolean validateOnly) {
        ConfigResource resource = alteration.resource();
        ClusterImage image = sessions.image();
        boolean topic = resource.type() == ConfigResource.Type.TOPIC;
        if (topic && image.topic(resource.name()) == null) {
            return refused(
                    alteration, Errors.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition.");
        }
        if (!topic && resource.type() != ConfigResource.Type.BROKER) {
            return refused(
                    alteration, Errors.INVALID_REQUEST, "settings of " + resource.type() + " cannot be altered here");
        }
        if (!topic && !resource.name().isEmpty() && !resource.name().equals(nodeId)) {
            return refused(alteration, Errors.INVALID_REQUEST, "this is broker " + nodeId + ", not " + resource.name());
        }
        Optional<String> wrong = wrongChange(alteration, topic);
        if (wrong.isPresent()) {
            return refused(alteration, Errors.INVALID_CONFIG, wrong.get());
        }
        ChangeSettings command = command(alteration, image);
        Map<String, String> after = command.after(current(resource, image));
        Optional<String> problem = topic ? settings.problem(after) : settings.brokerProblem(after);
        if (problem.isPresent()) {
            return refused(alteration, Errors.INVALID_CONFIG, problem.get());
        }
        if (validateOnly) {
            return CompletableFuture.completedFuture(new AlteredConfigs(resource, Errors.NONE, ""));
        }
        return sessions.submit(command).handle((found, failure) -> {
            if (failure != null) {
                return new AlteredConfigs(resource, Errors.REQUEST_TIMED_OUT, "the controller cannot write now");
            }
            return new AlteredConfigs(resource, found ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION, "");
        });
    }

    private Optional<String> wrongChange(ConfigAlteration alteration, boolean topic) {
        Set<String> seen = new HashSet<>();
        for (ConfigChange change : alteration.changes()) {
            if (!seen.add(change.name())) {
                return Optional.of("the setting " + change.name() + " is named twice");
            }
            if (topic && !TopicSettings.isKnown(change.name())) {
                return Optional.of("Unknown topic config name: " + change.name());
            }
            if (!topic && !TopicSettings.isDynamicBrokerSetting(change.name())) {
                return Optional.of(
                        isBrokerSetting(change.name())
                                ? "the setting " + change.name()
                                        + " cannot be altered while the broker runs: set it in the configuration file and restart"
                                : "there is no broker setting " + change.name());
            }
            boolean list =
                    change.operation() == ConfigOperation.APPEND || change.operation() == ConfigOperation.SUBTRACT;
            if (list && topic && !TopicSettings.isList(change.name())) {
                return Optional.of(
                        "Can't " + change.operation() + " to key " + change.name() + " because its type is not LIST.");
            }
            if (change.operation() != ConfigOperation.DELETE && change.value() == null) {
                return Optional.of("no value is given for the setting " + change.name());
            }
        }
        return Optional.empty();
    }

    private boolean isBrokerSetting(String name) {
        return defaults.brokerEntries().stream().anyMatch(entry -> entry.name().equals(name));
    }

    private static Map<String, String> current(ConfigResource resource, ClusterImage image) {
        if (resource.type() == ConfigResource.Type.BROKER) {
            return image.brokerConfigs(resource.name());
        }
        TopicImage topic = image.topic(resource.name());
        return topic == null ? Map.of() : topic.configs();
    }

    /** What a list has without its own setting is what is appended to. */
    private ChangeSettings command(ConfigAlteration alteration, ClusterImage image) {
        boolean topic = alteration.resource().type() == ConfigResource.Type.TOPIC;
        List<ChangeSettings.Change> changes = alteration.changes().stream()
                .map(change -> new ChangeSettings.Change(
                        change.name(),
                        operation(change.operation()),
                        change.value() == null ? "" : change.value(),
                        settings.inherited(change.name(), image)))
                .toList();
        return new ChangeSettings(
                topic ? ChangeSettings.Scope.TOPIC : ChangeSettings.Scope.BROKER,
                alteration.resource().name(),
                alteration.replaceAll(),
                changes);
    }

    private static ChangeSettings.Operation operation(ConfigOperation operation) {
        return switch (operation) {
            case SET -> ChangeSettings.Operation.SET;
            case DELETE -> ChangeSettings.Operation.DELETE;
            case APPEND -> ChangeSettings.Operation.APPEND;
            case SUBTRACT -> ChangeSettings.Operation.SUBTRACT;
        };
    }

    private static CompletableFuture<AlteredConfigs> refused(
            ConfigAlteration alteration, Errors error, String message) {
        return CompletableFuture.completedFuture(new AlteredConfigs(alteration.resource(), error, message));
    }
}
