package io.forebay.log.journal;

import io.forebay.log.journal.JournalEndedException.Reason;
import io.forebay.model.Loop;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the next file of a journal, whatever the store answers. Owned by the journal loop; one use at a time.
 *
 * <p>Numbers stay dense: a number whose creation has an unknown outcome is not left behind before it is certain that the object
 * exists. To make it certain, a header of our own is put there if there is nothing; then the number is burnt (it holds no frames) and
 * the next one is tried. Should the lost creation arrive later, it finds the number taken.
 */
final class FileOpener {

    private static final Logger LOG = LoggerFactory.getLogger(FileOpener.class);

    private final JournalPath path;
    private final Maker maker;
    private final Store store;
    private final Loop loop;
    private final JournalConfig config;
    private final LongFunction<JournalHeader> headerOf;

    /**
     * @param headerOf the header that a data file with a given number gets
     */
    FileOpener(
            JournalPath path,
            Maker maker,
            Store store,
            Loop loop,
            JournalConfig config,
            LongFunction<JournalHeader> headerOf) {
        this.path = path;
        this.maker = maker;
        this.store = store;
        this.loop = loop;
        this.config = config;
        this.headerOf = headerOf;
    }

    /** What {@link #open} reports, on the loop, exactly one of the two and once. */
    interface Result {
        void opened(JournalHeader header, Appender appender);

        void ended(JournalEndedException cause);
    }

    /**
     * Creates file {@code number}, or the first one behind it that can be.
     *
     * @param tries how many numbers may be tried
     */
    void open(long number, int tries, Result result) {
        if (tries == 0) {
            result.ended(new JournalEndedException(
                    Reason.STORE_FAILED,
                    "no new journal file could be made, the last try was " + path.file(number - 1)));
            return;
        }
        CompletableFuture<CreateOutcome> creating = store.createAppender(path.file(number), path.file(number + 1));
        new Answer<>(creating, FileOpener::closeLate).await(outcome -> {
            if (outcome instanceof CreateOutcome.Created created) {
                result.opened(headerOf.apply(number), created.appender());
            } else if (outcome instanceof CreateOutcome.AlreadyExists) {
                result.ended(new JournalEndedException(
                        Reason.FENCED, path.file(number) + " was made by somebody else: this session is fenced"));
            } else {
                LOG.warn("whether {} was created is not known: {}", path.file(number), describe(outcome));
                burn(number, tries, 1, result);
            }
        });
    }

    private static void closeLate(CreateOutcome outcome) {
        if (outcome instanceof CreateOutcome.Created created) {
            var unused = created.appender().close();
        }
    }

    private static String describe(@Nullable CreateOutcome outcome) {
        return outcome instanceof CreateOutcome.OutcomeUnknown unknown
                ? String.valueOf(unknown.cause().getMessage())
                : "no answer in time";
    }

    /** Makes sure that something lies at this number, then goes on with the next. */
    private void burn(long number, int tries, int attempt, Result result) {
        if (attempt > config.createTries()) {
            result.ended(new JournalEndedException(
                    Reason.STORE_FAILED, "whether " + path.file(number) + " exists could not be found out"));
            return;
        }
        ByteBuffer header = headerOf.apply(number).encode();
        new Answer<>(store.putIfAbsent(path.file(number), header), late -> {}).await(outcome -> {
            if (outcome == PutOutcome.WRITTEN) {
                openLater(number + 1, tries - 1, result);
            } else if (outcome == PutOutcome.ALREADY_EXISTS) {
                readBack(number, tries, attempt, result);
            } else {
                var unused = loop.schedule(() -> burn(number, tries, attempt + 1, result), config.retryMs() * attempt);
            }
        });
    }

    private void readBack(long number, int tries, int attempt, Result result) {
        ByteBuffer bytes = ByteBuffer.allocate(JournalHeader.BYTES);
        new Answer<>(store.read(path.file(number), 0, bytes), late -> {}).await(read -> {
            if (read == null) {
                var unused = loop.schedule(() -> burn(number, tries, attempt + 1, result), config.retryMs() * attempt);
                return;
            }
            // Only this session makes data files here: an empty one is what the lost creation left.
            JournalHeader found =
                    JournalHeader.decode(bytes.flip(), path, number).orElse(null);
            boolean own = found == null
                    ? read == 0
                    : found.kind() == JournalHeader.Kind.DATA && found.maker().equals(maker);
            if (own) {
                openLater(number + 1, tries - 1, result);
            } else {
                result.ended(new JournalEndedException(
                        Reason.FENCED, path.file(number) + " was made by somebody else: this session is fenced"));
            }
        });
    }

    private void openLater(long number, int tries, Result result) {
        int failed = config.createTries() - tries;
        var unused = loop.schedule(() -> open(number, tries, result), config.retryMs() * failed);
    }

    /** An answer of the store that is taken on the loop, at the latest when the time is up; what comes later goes elsewhere. */
    private final class Answer<T> {
        private final CompletableFuture<T> future;
        private final Consumer<T> late;
        private boolean taken;

        Answer(CompletableFuture<T> future, Consumer<T> late) {
            this.future = future;
            this.late = late;
        }

        /** Calls {@code taker} with the answer, or with null if there is none in time or it is an exception. */
        void await(Consumer<@Nullable T> taker) {
            if (future.isDone()) {
                take(valueOf(future), taker);
                return;
            }
            Loop.Cancellable timer = loop.schedule(() -> take(null, taker), config.appendTimeoutMs());
            var unused = future.whenComplete((value, failure) -> loop.execute(() -> {
                timer.cancel();
                take(failure == null ? value : null, taker);
            }));
        }

        private void take(@Nullable T value, Consumer<@Nullable T> taker) {
            if (!taken) {
                taken = true;
                taker.accept(value);
            } else if (value != null) {
                late.accept(value);
            }
        }

        private @Nullable T valueOf(CompletableFuture<T> done) {
            try {
                return done.join();
            } catch (java.util.concurrent.CompletionException e) {
                LOG.warn("the store failed: {}", String.valueOf(e.getCause()));
                return null;
            }
        }
    }
}
