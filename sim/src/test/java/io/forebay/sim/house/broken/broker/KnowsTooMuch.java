package io.forebay.sim.house.broken.broker;

import org.apache.kafka.server.authorizer.Authorizer;

/** Breaks a rule: knows an inner class of Kafka outside the adapter package. */
interface KnowsTooMuch {
    Authorizer authorizer();
}
