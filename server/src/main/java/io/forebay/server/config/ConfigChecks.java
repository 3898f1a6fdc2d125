package io.forebay.server.config;

import java.util.ArrayList;
import java.util.List;

/** Rules between settings, each of which is valid by itself. */
final class ConfigChecks {
    private ConfigChecks() {}

    static List<String> problems(SettingValues values) {
        List<String> problems = new ArrayList<>();
        HostPort listen = values.value(Settings.LISTEN);
        if (listen.isWildcard() && values.value(Settings.ADVERTISE).isEmpty()) {
            problems.add("'listen' is " + listen + ", which clients cannot connect to: set 'advertise' to the"
                    + " HOST:PORT they should use");
        }
        values.value(Settings.ADVERTISE)
                .filter(HostPort::isWildcard)
                .ifPresent(
                        advertise -> problems.add("'advertise' is " + advertise + ", which clients cannot connect to"));
        ClusterSettings.check(values, listen, problems);
        atMost(values, problems, Settings.MESSAGE_MAX_BYTES, Settings.REQUEST_MAX_BYTES);
        atMost(values, problems, Settings.MESSAGE_MAX_BYTES, Settings.JOURNAL_FILE_BYTES);
        atMost(values, problems, Settings.REQUEST_MAX_BYTES, Settings.PRODUCE_INFLIGHT_MAX_BYTES);
        atMost(values, problems, Settings.JOURNAL_FILE_BYTES, Settings.JOURNAL_UNRETIRED_BYTES);
        return problems;
    }

    private static void atMost(
            SettingValues values,
            List<String> problems,
            Setting<? extends Number> small,
            Setting<? extends Number> large) {
        long smallValue = values.value(small).longValue();
        long largeValue = values.value(large).longValue();
        if (smallValue > largeValue) {
            problems.add("'" + small.key() + "' (" + ByteSize.format(smallValue) + ") must not be larger than '"
                    + large.key() + "' (" + ByteSize.format(largeValue) + ")");
        }
    }
}
