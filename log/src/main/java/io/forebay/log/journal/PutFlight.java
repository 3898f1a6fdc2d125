package io.forebay.log.journal;

import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.store.ObjectKey;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One whole journal file on its way into a store without append: put again with the same bytes until its outcome is known, never given
 * up for another number. Reports one outcome, once, on the journal loop, which owns it.
 *
 * <p>Kept true: durable is said only of an object that was seen to hold exactly these bytes. They begin with a header that names the
 * session, the number and this process, so nobody else puts the same.
 */
final class PutFlight {

    private static final Logger LOG = LoggerFactory.getLogger(PutFlight.class);
    private static final int LONGEST_PAUSE_FACTOR = 20;

    /** What became of the file. */
    interface Outcome {
        /** It is there, whole, and nobody had fenced the writer before. */
        void durable();

        /** Somebody else's object has its number. */
        void fenced();

        /** The store refused it for good. Whether it is there all the same is not known. */
        void failed(String why);
    }

    private final ObjectKey key;
    private final ByteBuffer content;
    private final Store store;
    private final Loop loop;
    private final JournalConfig config;
    private final BooleanSupplier unwanted;
    private final Outcome outcome;
    private boolean settled;
    private int attempt;
    private int refusals;

    /**
     * Prepares it.
     *
     * @param content must never change
     * @param unwanted whether nobody wants to hear of an outcome any more
     */
    PutFlight(
            ObjectKey key,
            ByteBuffer content,
            Store store,
            Loop loop,
            JournalConfig config,
            BooleanSupplier unwanted,
            Outcome outcome) {
        this.key = key;
        this.content = content;
        this.store = store;
        this.loop = loop;
        this.config = config;
        this.unwanted = unwanted;
        this.outcome = outcome;
    }

    void start() {
        int number = ++attempt;
        Loop.Cancellable timer = loop.schedule(() -> again(number, "no answer in time"), config.appendTimeoutMs());
        var unused = store.putIfAbsent(key, content.duplicate())
                .whenComplete((answer, failure) -> loop.execute(() -> {
                    timer.cancel();
                    answered(number, answer, failure);
                }));
    }

    private void answered(int number, @Nullable PutOutcome answer, @Nullable Throwable failure) {
        if (over()) {
            return;
        }
        if (answer == PutOutcome.WRITTEN) {
            settle(outcome::durable);
        } else if (answer == PutOutcome.ALREADY_EXISTS) {
            readBack(number);
        } else if (answer == PutOutcome.OUTCOME_UNKNOWN || (failure != null && StoreCalls.passes(failure))) {
            again(number, failure == null ? "the outcome is not known" : String.valueOf(failure.getMessage()));
        } else if (++refusals >= config.createTries()) {
            settle(() -> outcome.failed(String.valueOf(failure)));
        } else {
            again(number, String.valueOf(failure));
        }
    }

    /** Is it what an earlier try of ours has left? */
    private void readBack(int number) {
        ByteBuffer there = ByteBuffer.allocate(content.remaining() + 1);
        Loop.Cancellable timer = loop.schedule(() -> again(number, "no answer in time"), config.appendTimeoutMs());
        var unused = store.read(key, 0, there)
                .whenComplete((read, failure) -> loop.execute(() -> {
                    timer.cancel();
                    if (over()) {
                        return;
                    }
                    if (failure != null) {
                        again(number, "it cannot be read back: " + failure.getMessage());
                    } else if (there.flip().equals(content)) {
                        settle(outcome::durable);
                    } else {
                        settle(outcome::fenced);
                    }
                }));
    }

    /** Puts it once more after a pause, unless a later try is on its way already. */
    private void again(int number, String why) {
        if (over() || number != attempt) {
            return;
        }
        LOG.warn("{}: {}; putting it again", key, why);
        long firstMs = Math.max(1, config.retryMs());
        attempt++;
        int planned = attempt;
        var unused = loop.schedule(
                () -> {
                    if (!over() && planned == attempt) {
                        start();
                    }
                },
                Retry.doubling(Math.min(number, 30), firstMs, firstMs * LONGEST_PAUSE_FACTOR));
    }

    private boolean over() {
        return settled || unwanted.getAsBoolean();
    }

    private void settle(Runnable report) {
        settled = true;
        report.run();
    }
}
