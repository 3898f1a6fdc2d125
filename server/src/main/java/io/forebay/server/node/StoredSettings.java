package io.forebay.server.node;

import io.forebay.server.config.ConfigEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Says which settings of the store stand above what the node was given: somebody who sets one must see why nothing happens. Pure. */
final class StoredSettings {

    private static final String RETENTION_MS = "log.retention.ms";
    private static final String RETENTION = "log.retention.";

    private StoredSettings() {}

    /**
     * One line for each stored setting.
     *
     * @param ofAllBrokers stored for every broker
     * @param ofThisBroker stored for this one; wins
     */
    static List<String> lines(
            List<ConfigEntry> given, Map<String, String> ofAllBrokers, Map<String, String> ofThisBroker) {
        Map<String, String> stored = new TreeMap<>(ofAllBrokers);
        stored.putAll(ofThisBroker);
        List<String> lines = new ArrayList<>();
        stored.forEach((key, value) -> {
            StringBuilder line = new StringBuilder(key + " = " + value + " (stored)");
            String joint = " wins over ";
            for (ConfigEntry entry : given) {
                if (entry.source() != ConfigEntry.Source.DEFAULT && means(entry.key(), key)) {
                    line.append(joint).append(entry.key()).append(" = ").append(entry.value());
                    line.append(" (").append(entry.source()).append(')');
                    joint = " and ";
                }
            }
            lines.add(line.toString());
        });
        return lines;
    }

    private static boolean means(String given, String stored) {
        return given.equals(stored)
                || (stored.equals(RETENTION_MS)
                        && (given.equals(RETENTION + "minutes") || given.equals(RETENTION + "hours")));
    }
}
