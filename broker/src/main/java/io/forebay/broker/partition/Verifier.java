package io.forebay.broker.partition;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.protocol.Errors;

/** Asks the coordinator of a producer's transaction whether a partition belongs to it, or adds it. */
public interface Verifier {

    /** Completes on any thread. */
    CompletableFuture<Verification> verify(long producerId, short producerEpoch);

    /** Of a producer that named no transactional id: nobody to ask. */
    Verifier NOBODY =
            (producerId, epoch) -> CompletableFuture.completedFuture(Verification.refused(Errors.INVALID_TXN_STATE));
}
