package io.forebay.broker.session;

import io.forebay.log.NodeLog;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session's right to serve, proven by the store: an append that succeeded, or a look that found the session not fenced, is good for one
 * session time-out from its start. A node that stood still, or has lost the store, finds its proof too old and shows nothing, whatever it still believes. Asked
 * from any thread; looks on the control loop.
 */
final class ServingProof implements BooleanSupplier {

    private static final Logger LOG = LoggerFactory.getLogger(ServingProof.class);

    private final NodeLog log;
    private final Loop control;
    private final Clock clock;
    private final long goodForNanos;
    private boolean looking;
    private boolean toldLost;
    private boolean ended;

    /** @param goodForMs session time-out */
    ServingProof(NodeLog log, Loop control, Clock clock, long goodForMs) {
        this.log = log;
        this.control = control;
        this.clock = clock;
        this.goodForNanos = goodForMs * 1_000_000;
    }

    @Override
    public boolean getAsBoolean() {
        return clock.nanos() - log.provenAtNanos() < goodForNanos;
    }

    /** Since the last proof began, in ms. */
    long ageMs() {
        return Math.max(0, (clock.nanos() - log.provenAtNanos()) / 1_000_000);
    }

    /** Looks whenever the last proof is a third of its time old. */
    void start() {
        if (ended) {
            return;
        }
        tell();
        if (!looking && clock.nanos() - log.provenAtNanos() > goodForNanos / 3) {
            looking = true;
            var unused = log.prove().whenCompleteAsync((proven, failure) -> looking = false, control);
        }
        var unused = control.schedule(this::start, Math.max(1, goodForNanos / 6_000_000));
    }

    private void tell() {
        if (toldLost == getAsBoolean()) {
            toldLost = !toldLost;
            if (toldLost) {
                LOG.warn(
                        "session {}: the store has proven nothing for {} ms, so nothing is served until it answers",
                        log.session(),
                        ageMs());
            } else {
                LOG.info("session {}: the store answers again", log.session());
            }
        }
    }

    void end() {
        ended = true;
    }
}
