package io.forebay.server.config;

import static io.forebay.server.config.SettingType.hostPort;
import static io.forebay.server.config.SettingType.millis;
import static io.forebay.server.config.SettingType.name;
import static io.forebay.server.config.SettingType.optional;
import static io.forebay.server.config.SettingType.roles;

import io.forebay.cluster.image.Role;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The part of the table that makes nodes a cluster, and the rules between these settings. */
final class ClusterSettings {
    private static final String CLUSTER = "Cluster";

    static final Setting<Optional<HostPort>> LISTEN = new Setting<>(
            "cluster.listen",
            CLUSTER,
            optional(hostPort()),
            "",
            "Address and port for the other nodes on the same store and for 'forebay cluster', usually port 9096; port 0"
                    + " takes any free one. Empty: the node is alone on its store. Whoever reaches this port can steer the"
                    + " cluster: it belongs into a trusted network.");
    static final Setting<Optional<HostPort>> ADVERTISED = new Setting<>(
            "cluster.advertised",
            CLUSTER,
            optional(hostPort()),
            "",
            "Address and port that other nodes are told to connect to; empty means the same as 'cluster.listen'.");
    static final Setting<Long> SESSION_TIMEOUT_MS = new Setting<>(
            "cluster.session.timeout.ms",
            CLUSTER,
            millis(500, 10 * 60_000),
            "3s",
            "Silence after which a node counts as dead and others take its shards. A node says something every tenth of"
                    + " it; a pause that is longer, of the process or of the network, costs a takeover. The same on all"
                    + " nodes.");
    static final Setting<Optional<String>> RACK = new Setting<>(
            "node.rack",
            CLUSTER,
            optional(name(128)),
            "",
            "Rack or zone in which this node stands, told to clients (Kafka: broker.rack).");
    static final Setting<List<Role>> ROLES = new Setting<>(
            "node.roles",
            CLUSTER,
            roles(),
            "broker,coordinator,controller",
            "What this node may be given: topics of users (broker), groups and transactions (coordinator), the"
                    + " cluster's metadata (controller). A cluster needs a living node for each.");

    private ClusterSettings() {}

    static void addTo(List<Setting<?>> table) {
        table.addAll(List.of(LISTEN, ADVERTISED, SESSION_TIMEOUT_MS, RACK, ROLES));
    }

    static ClusterConfig read(SettingValues values) {
        return new ClusterConfig(values.value(LISTEN), values.value(ADVERTISED), values.value(SESSION_TIMEOUT_MS));
    }

    static void check(SettingValues values, HostPort clients, List<String> problems) {
        Optional<HostPort> listen = values.value(LISTEN);
        Optional<HostPort> advertised = values.value(ADVERTISED);
        if (listen.isEmpty()) {
            if (advertised.isPresent()) {
                problems.add("'cluster.advertised' is " + advertised.get()
                        + ", but the node has no control port: set 'cluster.listen' too");
            }
            EnumSet<Role> missing = EnumSet.allOf(Role.class);
            values.value(ROLES).forEach(missing::remove);
            if (!missing.isEmpty()) {
                problems.add("'node.roles' lacks " + words(missing)
                        + ", and a node without 'cluster.listen' is alone on its store and has to do everything: set"
                        + " 'cluster.listen', or leave 'node.roles' away");
            }
            return;
        }
        if (listen.get().isWildcard() && advertised.isEmpty()) {
            problems.add(
                    "'cluster.listen' is " + listen.get()
                            + ", which other nodes cannot connect to: set 'cluster.advertised' to the HOST:PORT they should use");
        }
        advertised
                .filter(HostPort::isWildcard)
                .ifPresent(told ->
                        problems.add("'cluster.advertised' is " + told + ", which other nodes cannot connect to"));
        if (listen.get().port() != 0 && listen.get().equals(clients)) {
            problems.add("'cluster.listen' and 'listen' are both " + clients + ": nodes and clients need a port each");
        }
    }

    private static String words(EnumSet<Role> roles) {
        return roles.stream().map(SettingType::word).collect(Collectors.joining(" and "));
    }
}
