package io.forebay.server.cli.dev;

import io.forebay.server.config.ConfigEntry;
import io.forebay.server.config.ForebayConfig;
import io.forebay.server.config.HostPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Which nodes a throw-away cluster has. Pure but for the ports it is handed.
 *
 * @param nodes in the order of their ids, from 1
 */
record DevPlan(List<DevNode> nodes) {

    /** Ports of clients and of nodes are so far apart, so that three nodes on 9092 have their control ports on 9096 and above. */
    private static final int CONTROL_DISTANCE = 4;

    /** What keeps a node small, unless the user says otherwise. */
    private static final Map<String, String> SMALL = new LinkedHashMap<>();

    static {
        SMALL.put("cache.tail.bytes", "32MiB");
        SMALL.put("cache.cold.bytes", "16MiB");
        SMALL.put("request.max.bytes", "16MiB");
        SMALL.put("produce.inflight.max.bytes", "32MiB");
        SMALL.put("net.threads", "2");
        SMALL.put("io.threads", "2");
    }

    /**
     * One node.
     *
     * @param arguments of {@code forebay start}
     */
    record DevNode(int id, HostPort listen, HostPort control, List<String> arguments) {
        DevNode {
            arguments = List.copyOf(arguments);
        }
    }

    DevPlan {
        nodes = List.copyOf(nodes);
    }

    /**
     * A plan.
     *
     * @param given the user's own options of {@code start}
     * @param config what comes of them
     * @param store that all share
     * @param freePort a port for each call, for when the user lets the system choose
     */
    static DevPlan of(int count, List<String> given, ForebayConfig config, String store, IntSupplier freePort) {
        HostPort first = config.network().listen();
        List<DevNode> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean any = first.port() == 0;
            HostPort listen = new HostPort(first.host(), any ? freePort.getAsInt() : first.port() + i);
            HostPort control = new HostPort(
                    first.host(), any ? freePort.getAsInt() : first.port() + Math.max(CONTROL_DISTANCE, count) + i);
            List<String> arguments = new ArrayList<>(given);
            for (ConfigEntry entry : config.entries()) {
                String small = SMALL.get(entry.key());
                if (small != null && entry.source() == ConfigEntry.Source.DEFAULT) {
                    set(arguments, entry.key(), small);
                }
            }
            set(arguments, "store", store);
            set(arguments, "node.id", Integer.toString(i + 1));
            set(arguments, "listen", listen.toString());
            set(arguments, "advertise", "");
            set(arguments, "cluster.listen", control.toString());
            set(arguments, "cluster.advertised", "");
            nodes.add(new DevNode(i + 1, listen, control, arguments));
        }
        return new DevPlan(nodes);
    }

    private static void set(List<String> arguments, String key, String value) {
        arguments.add("--set");
        arguments.add(key + "=" + value);
    }

    /** What clients are given. */
    String bootstrap() {
        return nodes.stream().map(node -> node.listen().toString()).collect(Collectors.joining(","));
    }
}
