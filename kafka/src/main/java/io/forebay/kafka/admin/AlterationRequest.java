package io.forebay.kafka.admin;

import io.forebay.broker.Broker;
import io.forebay.broker.admin.Admin.AlteredConfigs;
import io.forebay.broker.admin.Admin.ConfigAlteration;
import io.forebay.broker.admin.Admin.ConfigChange;
import io.forebay.broker.admin.Admin.ConfigOperation;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;

/**
 * What AlterConfigs and IncrementalAlterConfigs have in common: changes to some resources, checked as such before the broker sees them.
 */
final class AlterationRequest {

    /** One resource as it was asked for. */
    record Asked(byte type, String name, List<ConfigChange> changes) {}

    private final Broker broker;
    private final boolean replaceAll;
    private final boolean validateOnly;
    private final List<Asked> asked = new ArrayList<>();

    AlterationRequest(Broker broker, boolean replaceAll, boolean validateOnly) {
        this.broker = broker;
        this.replaceAll = replaceAll;
        this.validateOnly = validateOnly;
    }

    void add(byte type, String name, List<ConfigChange> changes) {
        asked.add(new Asked(type, name, changes));
    }

    /** What became of one resource. */
    record Outcome(byte type, String name, Errors error, String message) {}

    /** Has the changes made; the outcomes come in the order of the request. */
    void run(Consumer<List<Outcome>> whenDone, Consumer<Throwable> whenFailed) {
        Map<Integer, Outcome> refused = new HashMap<>();
        List<ConfigAlteration> alterations = new ArrayList<>();
        Set<ConfigResource> twice = twice();
        for (int i = 0; i < asked.size(); i++) {
            Asked one = asked.get(i);
            String wrong = twice.contains(resource(one)) ? "each resource may appear once" : wrong(one);
            if (wrong.isEmpty()) {
                alterations.add(new ConfigAlteration(resource(one), one.changes, replaceAll));
            } else {
                refused.put(i, new Outcome(one.type, one.name, Errors.INVALID_REQUEST, wrong));
            }
        }
        When.done(broker.admin().alterConfigs(alterations, validateOnly), (altered, failure) -> {
            if (failure == null) {
                whenDone.accept(inOrder(refused, altered));
            } else {
                whenFailed.accept(failure);
            }
        });
    }

    private List<Outcome> inOrder(Map<Integer, Outcome> refused, List<AlteredConfigs> altered) {
        List<Outcome> outcomes = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < asked.size(); i++) {
            Outcome refusal = refused.get(i);
            if (refusal != null) {
                outcomes.add(refusal);
            } else {
                AlteredConfigs one = altered.get(next++);
                outcomes.add(new Outcome(asked.get(i).type, asked.get(i).name, one.error(), one.message()));
            }
        }
        return outcomes;
    }

    private Set<ConfigResource> twice() {
        Set<ConfigResource> seen = new HashSet<>();
        Set<ConfigResource> twice = new HashSet<>();
        for (Asked one : asked) {
            if (!seen.add(resource(one))) {
                twice.add(resource(one));
            }
        }
        return twice;
    }

    private static ConfigResource resource(Asked one) {
        return new ConfigResource(ConfigResource.Type.forId(one.type), one.name);
    }

    // Empty if nothing is wrong.
    private static String wrong(Asked one) {
        if (ConfigResource.Type.forId(one.type) == ConfigResource.Type.UNKNOWN) {
            return "unknown resource type " + one.type;
        }
        Set<String> names = new HashSet<>();
        for (ConfigChange change : one.changes) {
            if (!names.add(change.name())) {
                return "the setting " + change.name() + " appears more than once";
            }
            if (change.value() == null && change.operation() != ConfigOperation.DELETE) {
                return "the setting " + change.name() + " has no value";
            }
        }
        return "";
    }
}
