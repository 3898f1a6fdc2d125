package io.forebay.cluster.root;

import com.google.protobuf.InvalidProtocolBufferException;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.metadata.MetadataBatch;
import io.forebay.formats.metadata.MetadataSnapshot;
import io.forebay.log.journal.FenceConfig;
import io.forebay.log.journal.FencedJournal;
import io.forebay.log.journal.FrameCursor;
import io.forebay.log.journal.FrameKind;
import io.forebay.log.journal.JournalFence;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.JournalPosition;
import io.forebay.log.journal.JournalReplay;
import io.forebay.log.journal.SessionIndex;
import io.forebay.model.ShardId;
import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectStat;
import io.forebay.store.StoreException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the next term and rebuilds the metadata from all earlier ones: snapshot, claim, fence oldest first, replay.
 *
 * <p>Owned by the root loop. Ends with an image and a term; the caller writes the term's first record, and only when that is durable
 * is it the controller.
 */
final class RootClaim {

    private static final Logger LOG = LoggerFactory.getLogger(RootClaim.class);
    private static final long EVERYTHING = Long.MAX_VALUE;

    /**
     * What a claim gave.
     *
     * @param replayedTerms how many earlier terms had to be fenced and read
     * @param replayedRecords how many records came from journals
     */
    record Claimed(long term, MetadataImage image, int replayedTerms, long replayedRecords) {}

    private final RootContext context;
    private MetadataImage image = MetadataImage.EMPTY;
    private long firstTerm;
    private JournalPosition firstPosition = new JournalPosition(0, 0);
    private long replayedRecords;

    RootClaim(RootContext context) {
        this.context = context;
    }

    /** Claims one term; fails with {@link TermTakenException} if it is somebody else's. */
    CompletableFuture<Claimed> run(long term) {
        return WholeObject.list(context.store(), context.loop(), RootObjects.SNAPSHOTS, "")
                .thenComposeAsync(this::loadSnapshot, context.loop())
                .thenComposeAsync(done -> claim(term), context.loop())
                .thenComposeAsync(mine -> replay(firstTerm, term), context.loop());
    }

    /** Newest first; a damaged one is reported and the one before is used, with more to replay. */
    private CompletableFuture<Void> loadSnapshot(List<ObjectStat> snapshots) {
        if (snapshots.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        ObjectStat newest = snapshots.get(snapshots.size() - 1);
        return readWhole(newest.key(), Math.toIntExact(newest.sizeBytes()))
                .thenComposeAsync(
                        bytes -> {
                            try {
                                use(RootObjects.decodeSnapshot(newest.key(), bytes));
                                return CompletableFuture.completedFuture(null);
                            } catch (StoreException e) {
                                if (e.kind() != StoreException.Kind.CORRUPT || snapshots.size() == 1) {
                                    throw e;
                                }
                                LOG.error("metadata snapshot is damaged, using the one before: {}", e.getMessage());
                                return loadSnapshot(snapshots.subList(0, snapshots.size() - 1));
                            }
                        },
                        context.loop());
    }

    private void use(MetadataSnapshot snapshot) {
        image = MetadataImage.EMPTY.apply(snapshot.getRecordsList()).withVersion(snapshot.getVersion());
        firstTerm = snapshot.getTerm();
        firstPosition = new JournalPosition(snapshot.getFile(), Math.toIntExact(snapshot.getPosition()));
    }

    private CompletableFuture<Void> claim(long term) {
        ByteBuffer mine = RootObjects.encodeTerm(
                context.nodeId(), context.maker(), context.clock().wallMs(), context.address());
        ObjectKey key = RootObjects.term(term);
        return context.store()
                .putIfAbsent(key, mine.duplicate())
                .thenComposeAsync(
                        outcome -> switch (outcome) {
                            case WRITTEN -> CompletableFuture.completedFuture(null);
                            case ALREADY_EXISTS -> CompletableFuture.failedFuture(new TermTakenException(term));
                            case OUTCOME_UNKNOWN -> settle(term, key, mine);
                        },
                        context.loop());
    }

    /** After an unknown outcome: mine if it is there with my bytes. Otherwise it is somebody's, or may become mine when nobody waits for it any more. */
    private CompletableFuture<Void> settle(long term, ObjectKey key, ByteBuffer mine) {
        return readWhole(key, mine.remaining())
                .handleAsync((found, failure) -> failure == null && found.equals(mine), context.loop())
                .thenComposeAsync(
                        isMine -> isMine
                                ? CompletableFuture.<Void>completedFuture(null)
                                : CompletableFuture.<Void>failedFuture(new TermTakenException(term)),
                        context.loop());
    }

    /** Fences and replays the terms from {@code next} on, oldest first, up to the own one. */
    private CompletableFuture<Claimed> replay(long next, long own) {
        if (next == own) {
            return CompletableFuture.completedFuture(
                    new Claimed(own, image, Math.toIntExact(own - firstTerm), replayedRecords));
        }
        JournalFence fence = new JournalFence(
                context.store(), context.loop(), context.clock(), context.maker(), FenceConfig.DEFAULT);
        JournalPosition from = next == firstTerm ? firstPosition : new JournalPosition(0, 0);
        return fence.fence(JournalPath.ofRootTerm(next).prefix(), next, 1)
                .thenComposeAsync(journal -> replayTerm(journal, from), context.loop())
                .thenComposeAsync(done -> replay(next + 1, own), context.loop());
    }

    /**
     * Nothing is ever deleted of a metadata journal. One that lacks a file would give an image without topics that exist, and their records would be taken for
     * deleted.
     */
    private static void requireWhole(FencedJournal journal, JournalPosition from) {
        FencedJournal.Lane lane = journal.lanes().get(0);
        long next = from.file();
        for (FencedJournal.File file : lane.files()) {
            if (file.number() == next) {
                next++;
            }
        }
        if (next < lane.tombstone()) {
            throw new StoreException(
                    StoreException.Kind.CORRUPT,
                    "the metadata journal of term " + journal.session() + " has lost "
                            + JournalPath.ofRootTerm(journal.session()).file(next) + ": bring the object back");
        }
    }

    private CompletableFuture<Void> replayTerm(FencedJournal journal, JournalPosition from) {
        requireWhole(journal, from);
        JournalReplay replay = new JournalReplay(
                context.store(), context.executor(), damage -> LOG.error("metadata journal is damaged: {}", damage));
        return replay.load(journal, lane -> from.file())
                .thenComposeAsync(index -> applyFrames(journal, index, from), context.loop());
    }

    private CompletableFuture<Void> applyFrames(FencedJournal journal, SessionIndex index, JournalPosition from) {
        FrameCursor frames =
                index.frames(0, ShardId.ROOT.value(), journal.session(), from, new JournalPosition(EVERYTHING, 0));
        List<Body> bodies = new ArrayList<>();
        while (frames.next()) {
            if (frames.damaged()) {
                throw new StoreException(
                        StoreException.Kind.CORRUPT,
                        "the metadata journal of term " + journal.session() + " is damaged in file " + frames.file()
                                + " at position " + frames.position());
            }
            if (frames.kind() == FrameKind.METADATA) {
                bodies.add(new Body(frames.file(), frames.bodyPosition(), frames.bodyLength()));
            }
        }
        return applyBodies(journal, bodies, 0);
    }

    private record Body(long file, int position, int length) {}

    /** One file after the other: each is read whole. */
    private CompletableFuture<Void> applyBodies(FencedJournal journal, List<Body> bodies, int next) {
        if (next == bodies.size()) {
            return CompletableFuture.completedFuture(null);
        }
        long number = bodies.get(next).file();
        FencedJournal.File file = journal.lanes().get(0).files().stream()
                .filter(f -> f.number() == number)
                .findFirst()
                .orElseThrow();
        return readWhole(file.key(), file.end())
                .thenComposeAsync(
                        bytes -> {
                            int i = next;
                            for (; i < bodies.size() && bodies.get(i).file() == number; i++) {
                                apply(bytes.slice(
                                        bodies.get(i).position(), bodies.get(i).length()));
                            }
                            return applyBodies(journal, bodies, i);
                        },
                        context.loop());
    }

    private void apply(ByteBuffer body) {
        try {
            MetadataBatch batch = MetadataBatch.parseFrom(body);
            image = image.apply(batch);
            replayedRecords += batch.getRecordsCount();
        } catch (InvalidProtocolBufferException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "a metadata record cannot be read", e);
        }
    }

    private CompletableFuture<ByteBuffer> readWhole(ObjectKey key, int size) {
        return WholeObject.read(context.store(), context.loop(), key, ByteBuffer.allocate(size));
    }
}
