package io.forebay.conformance.cluster;

import io.forebay.bench.peer.FreePorts;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings with which nodes find each other: the only place in the tests that knows them. */
final class NodeSettings {

    private NodeSettings() {}

    /** Settings of node {@code id} of {@code nodes}. A node that is alone needs none for the cluster. */
    static Map<String, String> of(int id, int nodes) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("node.id", Integer.toString(id));
        if (nodes > 1) {
            // Kept over the node's lives, as a machine keeps its address.
            settings.put("cluster.listen", "127.0.0.1:" + FreePorts.next());
            settings.put("node.rack", "rack-" + id);
        }
        return settings;
    }
}
