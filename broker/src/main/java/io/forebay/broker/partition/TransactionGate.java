package io.forebay.broker.partition;

import io.forebay.log.partition.PartitionMemory;
import io.forebay.model.Loop;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Lets transactional batches into one partition only while their transaction is open at its coordinator (KIP-890), and knows which transaction that is. Owned
 * by the partition's loop.
 *
 * <p>Kept true: a marker never ends a transaction that began after its own. Within the life of this object the gate knows the start of each transaction that
 * it has let in; for one that was let in before, by an earlier owner, a marker was decided after this owner began, or it was sent to the earlier one.
 */
final class TransactionGate {

    private final Loop loop;
    private final PartitionMemory memory;
    private final Map<Long, Verified> verified = new HashMap<>();
    private final Map<Long, Verifying> verifying = new HashMap<>();

    private record Verified(short epoch, long startMs) {}

    /** A question that is on its way, and who waits for the answer. */
    private static final class Verifying {
        final short epoch;
        final List<Consumer<Errors>> waiting = new ArrayList<>();
        /** Start of the latest transaction that was ended meanwhile; that of any if the marker did not tell. */
        long endedMs = Long.MIN_VALUE;

        Verifying(short epoch) {
            this.epoch = epoch;
        }
    }

    TransactionGate(Loop loop, PartitionMemory memory) {
        this.loop = loop;
        this.memory = memory;
    }

    /** Whether the batch needs no question; false also while one is on its way, so that batches stay in order. */
    boolean admits(long producerId, short epoch) {
        if (verifying.containsKey(producerId)) {
            return false;
        }
        Verified known = verified.get(producerId);
        boolean open = memory.openTransaction(producerId) >= 0 && memory.producerEpoch(producerId) == epoch;
        return open || (known != null && known.epoch == epoch);
    }

    /**
     * Asks, once for all that wait.
     *
     * @param then told on the loop, in the order of the calls
     */
    void verify(long producerId, short epoch, Verifier verifier, Consumer<Errors> then) {
        Verifying present = verifying.get(producerId);
        if (present != null && present.epoch == epoch) {
            present.waiting.add(then);
            return;
        }
        Verifying asked = new Verifying(epoch);
        asked.waiting.add(then);
        verifying.put(producerId, asked);
        When.doneOn(
                loop,
                verifier.verify(producerId, epoch),
                (answer, failure) -> settle(
                        producerId,
                        asked,
                        failure == null ? answer : Verification.refused(Errors.COORDINATOR_NOT_AVAILABLE)));
    }

    private void settle(long producerId, Verifying asked, @Nullable Verification answer) {
        var unused = verifying.remove(producerId, asked);
        Errors error = answer == null ? Errors.COORDINATOR_NOT_AVAILABLE : answer.error();
        if (answer != null && error == Errors.NONE) {
            if (asked.endedMs >= answer.startMs()) {
                error = Errors.INVALID_TXN_STATE;
            } else {
                verified.put(producerId, new Verified(asked.epoch, answer.startMs()));
            }
        }
        for (Consumer<Errors> one : asked.waiting) {
            one.accept(error);
        }
    }

    /** Whether a marker is of a transaction before the one that is open here: it has been everywhere long ago. */
    boolean isOld(TransactionMarker marker) {
        Verified known = verified.get(marker.producerId());
        return known != null && marker.startMs() != TransactionMarker.UNKNOWN_START && marker.startMs() < known.startMs;
    }

    /** A marker is being appended. */
    void ended(long producerId, long startMs) {
        long endedMs = startMs == TransactionMarker.UNKNOWN_START ? Long.MAX_VALUE : startMs;
        Verified known = verified.get(producerId);
        if (known != null && known.startMs <= endedMs) {
            verified.remove(producerId);
        }
        Verifying present = verifying.get(producerId);
        if (present != null) {
            present.endedMs = Math.max(present.endedMs, endedMs);
        }
    }
}
