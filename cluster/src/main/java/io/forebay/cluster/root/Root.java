package io.forebay.cluster.root;

import io.forebay.cluster.command.Command;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.metadata.ClusterCreated;
import io.forebay.formats.metadata.MetadataBatch;
import io.forebay.formats.metadata.MetadataRecord;
import io.forebay.formats.metadata.MetadataSnapshot;
import io.forebay.formats.metadata.TermStarted;
import io.forebay.log.journal.FrameKind;
import io.forebay.log.journal.Journal;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalEntry;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.JournalPosition;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import io.forebay.store.ObjectStat;
import io.forebay.store.PutOutcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller of one term: decides commands on the newest image, writes their records, and answers when they are durable.
 *
 * <p>Owned by the root loop. Two images: {@code decided} includes what is in flight, so that commands see each other;
 * {@code flushed} is what everybody else sees. When the journal ends, this term is over for good: outstanding commands fail (their
 * outcome is unknown) and a new claim begins from the store.
 */
public final class Root {

    private static final Logger LOG = LoggerFactory.getLogger(Root.class);

    /** Records after which a new snapshot pays. */
    private static final long SNAPSHOT_RECORDS = 5_000;
    /** Terms after which a new snapshot pays: each costs a fence and a read at the next claim. */
    private static final int SNAPSHOT_TERMS = 4;

    private static final int SNAPSHOTS_KEPT = 2;
    /**
     * Rest after which the journal goes on in a new file. The next claim then finds nothing in an open one: a file whose writer is gone costs it a second where leases
     * are taken away with heartbeats. It doubles with every {@link #RESTS_AS_LONG} times, since each file costs a claim some requests: 200 in a month.
     */
    private static final long FIRST_REST_MS = 1_000;

    private static final int RESTS_AS_LONG = 8;
    private static final long LONGEST_REST_MS = 86_400_000;
    /** Bounds one metadata batch. */
    private static final int MAX_BATCH_BYTES = 32 << 20;

    private final RootContext context;
    private final long term;
    private final Journal journal;
    private final CompletableFuture<JournalEndedException> ended = new CompletableFuture<>();
    private MetadataImage decided;
    private volatile MetadataImage flushed;
    private Listener listener = (image, batch) -> {};
    private JournalPosition flushedEnd = new JournalPosition(0, 0);
    private long snapshotVersion;
    private boolean snapshotRunning;
    private boolean watchesRest;
    private int rests;

    private Root(RootContext context, long term, MetadataImage image) {
        this.context = context;
        this.term = term;
        this.decided = image;
        this.flushed = image;
        this.snapshotVersion = image.version();
        this.journal = new Journal(
                JournalPath.ofRootTerm(term),
                context.maker(),
                context.store(),
                context.journalLoop(),
                context.clock(),
                context.cache(),
                context.journal(),
                1,
                ended::complete);
    }

    /**
     * Claims a term and becomes the controller. Completes on the root loop; fails with {@link TermTakenException} if somebody else was first.
     *
     * @param term the first that is free, as far as the caller knows
     */
    public static CompletableFuture<Root> claim(RootContext context, long term) {
        return CompletableFuture.completedFuture(context)
                .thenComposeAsync(c -> new RootClaim(c).run(term), context.loop())
                .thenComposeAsync(
                        claimed -> {
                            Root root = new Root(context, claimed.term(), claimed.image());
                            return root.begin(claimed);
                        },
                        context.loop());
    }

    private CompletableFuture<Root> begin(RootClaim.Claimed claimed) {
        return journal.start()
                .thenComposeAsync(started -> submit((image, random) -> firstRecords(image)), context.loop())
                .thenApplyAsync(
                        done -> {
                            LOG.info(
                                    "controller of term {}: {} records replayed from {} earlier terms",
                                    term,
                                    claimed.replayedRecords(),
                                    claimed.replayedTerms());
                            boolean pays = claimed.replayedTerms() >= SNAPSHOT_TERMS
                                    || claimed.replayedRecords() >= SNAPSHOT_RECORDS;
                            if (pays) {
                                snapshot();
                            }
                            return this;
                        },
                        context.loop());
    }

    private Command.Decision<Boolean> firstRecords(MetadataImage image) {
        List<MetadataRecord> records = new ArrayList<>();
        if (image.clusterId().isEmpty()) {
            ByteBuffer id = ByteBuffer.allocate(16);
            id.putLong(context.random().nextLong()).putLong(context.random().nextLong());
            records.add(MetadataRecord.newBuilder()
                    .setClusterCreated(ClusterCreated.newBuilder()
                            .setClusterId(
                                    Base64.getUrlEncoder().withoutPadding().encodeToString(id.array()))
                            .setUserShards(context.userShards())
                            .setInternalShards(context.internalShards()))
                    .build());
        }
        records.add(MetadataRecord.newBuilder()
                .setTermStarted(TermStarted.newBuilder().setTerm(term).setNodeId(context.nodeId()))
                .build());
        return new Command.Decision<>(records, true);
    }

    public long term() {
        return term;
    }

    /** What is durable. Any thread. */
    public MetadataImage image() {
        return flushed;
    }

    /** Told of what became durable, on the root loop. */
    public interface Listener {
        /**
         * Something became durable.
         *
         * @param batch the records that make the image out of the one before
         */
        void durable(MetadataImage image, MetadataBatch batch);
    }

    /** Sets who is told. */
    public void onDurable(Listener consumer) {
        listener = consumer;
    }

    /** The durable image and what is on its way: what the next command is decided on. On the root loop. */
    public MetadataImage decided() {
        return decided;
    }

    /** Completes when this term can write no more, on any thread. */
    public CompletableFuture<JournalEndedException> ended() {
        return ended;
    }

    /**
     * Decides a command and answers when its records are durable. Any thread; completes on the root loop. Fails with {@link JournalEndedException} if the
     * outcome is unknown, with what the command throws if it cannot be decided.
     */
    public <T> CompletableFuture<T> submit(Command<T> command) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        context.loop().run(() -> decide(command, reply));
        return reply;
    }

    private <T> void decide(Command<T> command, CompletableFuture<T> reply) {
        try {
            Command.Decision<T> decision = command.decide(decided, context.random());
            MetadataBatch batch =
                    MetadataBatch.newBuilder().addAllRecords(decision.records()).build();
            byte[] body = batch.toByteArray();
            if (body.length > MAX_BATCH_BYTES) {
                throw new IllegalArgumentException("a metadata change of " + body.length + " bytes is larger than "
                        + MAX_BATCH_BYTES + ": split it");
            }
            long baseOffset = decided.version();
            decided = decided.apply(batch);
            journal.append(new Write<>(baseOffset, batch, ByteBuffer.wrap(body), decided, decision.reply(), reply));
        } catch (RuntimeException e) {
            reply.completeExceptionally(e);
        }
    }

    /** One batch of records on its way; an empty one waits for those before it. */
    private final class Write<T> extends JournalEntry {
        private final MetadataImage after;
        private final T answer;
        private final CompletableFuture<T> reply;
        private final int bodyBytes;

        private final MetadataBatch batch;

        Write(
                long baseOffset,
                MetadataBatch batch,
                ByteBuffer body,
                MetadataImage after,
                T answer,
                CompletableFuture<T> reply) {
            super(
                    FrameKind.METADATA,
                    ShardId.ROOT.value(),
                    term,
                    0,
                    baseOffset,
                    batch.getRecordsCount(),
                    body,
                    context.loop());
            this.batch = batch;
            this.bodyBytes = body.remaining();
            this.after = after;
            this.answer = answer;
            this.reply = reply;
        }

        @Override
        public void copied() {
            // The body is on the heap: nothing to give back.
        }

        @Override
        public void durable(long file, int bodyPosition) {
            flushed = after;
            flushedEnd = new JournalPosition(file, bodyPosition + bodyBytes);
            if (batch.getRecordsCount() > 0) {
                listener.durable(after, batch);
            }
            reply.complete(answer);
            watchRest();
            if (after.version() - snapshotVersion >= SNAPSHOT_RECORDS) {
                snapshot();
            }
        }

        @Override
        public void failed(JournalEndedException cause) {
            reply.completeExceptionally(cause);
        }
    }

    private void watchRest() {
        if (watchesRest || ended.isDone() || !context.store().capabilities().append()) {
            return;
        }
        watchesRest = true;
        JournalPosition seen = flushedEnd;
        long restMs = Math.min(LONGEST_REST_MS, FIRST_REST_MS << Math.min(30, rests / RESTS_AS_LONG));
        var unusedTimer = context.loop()
                .schedule(
                        () -> {
                            watchesRest = false;
                            if (flushedEnd.equals(seen) && !ended.isDone()) {
                                rests++;
                                // One that fails has ended the journal, which others hear of.
                                var unused = journal.roll(seen.file());
                            } else {
                                watchRest();
                            }
                        },
                        restMs);
    }

    /** Writes the flushed image as a snapshot, and drops all but the newest two. A failure costs nothing but a longer replay. */
    private void snapshot() {
        if (snapshotRunning) {
            return;
        }
        snapshotRunning = true;
        MetadataImage image = flushed;
        snapshotVersion = image.version();
        ByteBuffer bytes = RootObjects.encodeSnapshot(MetadataSnapshot.newBuilder()
                .setTerm(term)
                .setVersion(image.version())
                .setFile(flushedEnd.file())
                .setPosition(flushedEnd.position())
                .addAllRecords(image.toRecords())
                .build());
        CompletableFuture<Void> written = context.store()
                .putIfAbsent(RootObjects.snapshot(term, image.version()), bytes)
                .thenComposeAsync(
                        outcome -> outcome == PutOutcome.WRITTEN
                                ? dropOldSnapshots()
                                : CompletableFuture.completedFuture(null),
                        context.loop());
        When.doneOn(context.loop(), written, (done, failure) -> {
            snapshotRunning = false;
            if (failure != null) {
                LOG.warn("no metadata snapshot was written: {}", failure.toString());
            }
        });
    }

    private CompletableFuture<Void> dropOldSnapshots() {
        return context.store()
                .list(RootObjects.SNAPSHOTS, "", 1_000)
                .thenComposeAsync(
                        found -> {
                            CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
                            for (ObjectStat old : found.subList(0, Math.max(0, found.size() - SNAPSHOTS_KEPT))) {
                                all = all.thenComposeAsync(
                                        done -> context.store().delete(old.key()), context.loop());
                            }
                            return all;
                        },
                        context.loop());
    }

    /**
     * Looks whether this is still the newest term. Completes on the journal's loop; fails with {@link JournalEndedException} if it is not, with what the store says
     * if that does not answer. Any thread.
     */
    public CompletableFuture<Void> prove() {
        return journal.prove()
                .thenCompose(proven -> proven
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(new JournalEndedException(
                                JournalEndedException.Reason.FENCED, "term " + term + " is over")));
    }

    /** Ends the term in good order. */
    public CompletableFuture<Void> close() {
        return journal.close();
    }
}
