package io.forebay.log.journal;

import io.forebay.log.journal.JournalEndedException.Reason;
import io.forebay.model.Loop;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** The last thing that a journal which is closed in good order writes: the tombstone behind its last file. Owned by the journal loop; used once. */
final class OwnTombstone {

    private final JournalPath path;
    private final Maker maker;
    private final Store store;
    private final Loop loop;
    private final JournalConfig config;

    OwnTombstone(JournalPath path, Maker maker, Store store, Loop loop, JournalConfig config) {
        this.path = path;
        this.maker = maker;
        this.store = store;
        this.loop = loop;
        this.config = config;
    }

    /**
     * Puts it as file {@code number}, trying again as long as the outcome is not known.
     *
     * @param ended told on the loop, once: CLOSED, or STORE_FAILED if it never became known
     */
    void put(long number, long wallMs, Consumer<JournalEndedException> ended) {
        attempt(number, JournalHeader.tombstone(path, number, maker, wallMs).encode(), 1, ended);
    }

    private void attempt(long number, ByteBuffer tombstone, int attempt, Consumer<JournalEndedException> ended) {
        var unused = store.putIfAbsent(path.file(number), tombstone)
                .whenComplete((outcome, failure) -> loop.execute(() -> {
                    boolean unknown = failure != null || outcome == PutOutcome.OUTCOME_UNKNOWN;
                    if (!unknown) {
                        ended.accept(new JournalEndedException(Reason.CLOSED, path.lanePrefix() + " was closed"));
                    } else if (attempt < config.createTries()) {
                        var unusedTimer = loop.schedule(
                                () -> attempt(number, tombstone, attempt + 1, ended), config.retryMs() * attempt);
                    } else {
                        ended.accept(new JournalEndedException(
                                Reason.STORE_FAILED, "whether " + path.file(number) + " was put is not known"));
                    }
                }));
    }
}
