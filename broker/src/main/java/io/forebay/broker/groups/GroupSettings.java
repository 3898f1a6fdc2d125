package io.forebay.broker.groups;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;

/** Kafka's settings of group coordinators, for all groups and for each. */
public record GroupSettings(GroupCoordinatorConfig coordinator, GroupConfigManager groups) {

    /**
     * Takes the given ones and Kafka's defaults for the others.
     *
     * @param properties {@code group.*} and {@code offsets.*} by their Kafka names
     */
    public static GroupSettings of(Map<String, String> properties) {
        AbstractConfig config =
                new AbstractConfig(new ConfigDef(merged()), new HashMap<String, Object>(properties), false);
        GroupCoordinatorConfig coordinator = new GroupCoordinatorConfig(config);
        return new GroupSettings(coordinator, new GroupConfigManager(coordinator, new ShareGroupConfig(config)));
    }

    private static ConfigDef merged() {
        ConfigDef all = new ConfigDef(GroupCoordinatorConfig.CONFIG_DEF);
        ShareGroupConfig.CONFIG_DEF.configKeys().forEach((name, key) -> {
            if (!all.configKeys().containsKey(name)) {
                all.define(key);
            }
        });
        return all;
    }
}
