package io.forebay.server.cli.cluster;

import io.forebay.formats.control.NodeHealth;
import java.util.ArrayList;
import java.util.List;

/**
 * A node's health as people and scripts see it. Pure.
 *
 * @param problems what is wrong and what follows from that; none: the node is well
 */
record HealthView(NodeHealth health, List<String> problems) {

    static HealthView of(NodeHealth health) {
        List<String> problems = new ArrayList<>();
        if (health.getSession() < 0) {
            problems.add(
                    "it has no session: it serves nothing until a controller gives it one, for which both need the store; its"
                            + " log says if that does not answer");
        } else if (health.getOwnsShards() && health.getProofAgeMs() < 0) {
            problems.add("its session has not begun in the store: it serves nothing yet");
        } else if (health.getOwnsShards() && health.getProofAgeMs() >= health.getProofHoldsMs()) {
            problems.add("the store has not answered it for " + health.getProofAgeMs()
                    + " ms: it serves nothing until that answers");
        }
        if (health.getControllerHeardMs() < 0) {
            problems.add("it has not found a controller");
        } else if (health.getControllerHeardMs() >= health.getProofHoldsMs()) {
            problems.add("no controller has answered it for " + health.getControllerHeardMs()
                    + (problems.isEmpty() ? " ms: what is open is served, metadata cannot change" : " ms"));
        }
        return new HealthView(health, List.copyOf(problems));
    }

    boolean isWell() {
        return problems.isEmpty();
    }
}
