package io.forebay.cluster.member;

import io.forebay.cluster.control.ControlConfig;
import io.forebay.cluster.control.Peers;
import io.forebay.log.journal.Maker;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import java.util.random.RandomGenerator;

/**
 * What a membership lives on.
 *
 * @param loop the control loop: owns its state
 * @param process random id of this process
 */
public record MemberContext(
        MemberIdentity identity,
        Maker process,
        Store store,
        Loop loop,
        Clock clock,
        RandomGenerator random,
        Peers peers,
        ControlConfig config) {}
