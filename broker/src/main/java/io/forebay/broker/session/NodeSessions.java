package io.forebay.broker.session;

import io.forebay.broker.partition.TopicConfigSource;
import io.forebay.cluster.command.Command;
import io.forebay.cluster.command.RegisterSession;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.root.Root;
import io.forebay.log.NodeLog;
import io.forebay.log.journal.FenceConfig;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalFence;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.Maker;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.When;
import io.forebay.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lives of this node: becomes the controller, fences what its last life left behind, registers a session, serves it, and when that ends
 * begins the next, for as long as the process runs.
 *
 * <p>Owned by the control loop. Two things can end by themselves and are begun anew, with pauses while the store fails:
 *
 * <pre>
 *   root:    claim ─► controller ─► (journal ended) ─► claim …
 *   session: fence old ─► register ─► journal ─► shards ─► serving ─► (journal ended) ─► fence old …
 * </pre>
 *
 * The end of the root alone interrupts no partition; the end of a session closes all of its partitions with a retriable error.
 */
public final class NodeSessions {

    private static final Logger LOG = LoggerFactory.getLogger(NodeSessions.class);
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LAST_PAUSE_MS = 2_000;

    private final NodeIdentity identity;
    private final NodePorts ports;
    private final TopicConfigSource configs;
    private final PartitionObserver observer;
    private final TendConfig tend;
    private final Loop control;
    private final ServedPartitions served = new ServedPartitions();
    private final CompletableFuture<Void> firstReady = new CompletableFuture<>();
    private final CompletableFuture<Void> takenOver = new CompletableFuture<>();
    private Optional<Root> root = Optional.empty();
    private Optional<NodeLog> log = Optional.empty();
    private Optional<ServedSession> session = Optional.empty();
    private Consumer<MetadataImage> imageListener = image -> {};
    private CompletableFuture<Void> followed = CompletableFuture.completedFuture(null);
    private volatile MetadataImage image = MetadataImage.EMPTY;
    private boolean beginning;
    private boolean closing;

    public NodeSessions(
            NodeIdentity identity,
            NodePorts ports,
            TopicConfigSource configs,
            PartitionObserver observer,
            TendConfig tend) {
        this.identity = identity;
        this.ports = ports;
        this.configs = configs;
        this.observer = observer;
        this.tend = tend;
        this.control = ports.root().loop();
    }

    /** Begins; completes when the first session serves everything, fails if the store says that it never will. */
    public CompletableFuture<Void> start() {
        control.execute(() -> {
            claimRoot();
            scheduleTending();
        });
        return firstReady;
    }

    /** Completes if another process of this node has begun: this one serves nothing any more. */
    public CompletableFuture<Void> whenTakenOver() {
        return takenOver;
    }

    /** The newest durable metadata. Any thread. */
    public MetadataImage image() {
        return image;
    }

    /** Told of each new image on the control loop. Set before {@link #start}. */
    public void onImage(Consumer<MetadataImage> listener) {
        imageListener = listener;
    }

    public ServedPartitions served() {
        return served;
    }

    /**
     * Asks the controller. Completes on the control loop, when the change is durable and this node has begun to serve what it
     * added.
     */
    public <T> CompletableFuture<T> submit(Command<T> command) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        control.run(() -> {
            if (root.isEmpty()) {
                reply.completeExceptionally(new JournalEndedException(
                        JournalEndedException.Reason.STORE_FAILED, "there is no controller at the moment: try again"));
                return;
            }
            When.done(root.get().submit(command), (answer, failure) -> {
                if (failure != null) {
                    reply.completeExceptionally(Retry.unwrap(failure));
                } else {
                    When.doneOn(control, followed, (done, ignored) -> reply.complete(answer));
                }
            });
        });
        return reply;
    }

    // ------------------------------------------------------------------ root

    private void claimRoot() {
        When.doneOn(control, Retry.on(control, () -> Root.claim(ports.root()), this::pause), (claimed, failure) -> {
            if (failure != null) {
                giveUp(failure);
                return;
            }
            root = Optional.of(claimed);
            claimed.onImage(this::follow);
            When.doneOn(control, claimed.ended(), (cause, none) -> rootEnded(cause));
            if (session.isEmpty()) {
                beginSession();
            }
        });
    }

    private void rootEnded(JournalEndedException cause) {
        root = Optional.empty();
        if (cause.reason() == JournalEndedException.Reason.FENCED) {
            takenOver();
        } else if (!closing) {
            LOG.warn("this controller's term is over ({}): claiming a new one", cause.getMessage());
            claimRoot();
        }
    }

    private void follow(MetadataImage newer) {
        image = newer;
        imageListener.accept(newer);
        session.ifPresent(s -> {
            CompletableFuture<Void> added = s.follow(newer);
            followed = followed.isDone() ? added : CompletableFuture.allOf(followed, added);
        });
    }

    // ------------------------------------------------------------------ session

    /** One at a time: root and session may end together, and each session that registers fences the one before it. */
    private void beginSession() {
        if (beginning) {
            return;
        }
        beginning = true;
        CompletableFuture<NodeLog> begun = Retry.on(control, this::register, this::pause);
        When.doneOn(control, begun, (opened, failure) -> {
            beginning = false;
            if (failure != null) {
                giveUp(failure);
                return;
            }
            log = Optional.of(opened);
            ServedSession serving = new ServedSession(
                    identity.nodeId(),
                    opened.session(),
                    opened,
                    ports.shardLoops(),
                    control,
                    ports.root().clock(),
                    configs,
                    served,
                    observer,
                    image);
            session = Optional.of(serving);
            followed = serving.follow(image);
            opened.onKeptByClosed(serving::openToLetGo);
            When.doneOn(control, opened.ended(), (cause, none) -> sessionEnded(cause));
            When.doneOn(control, followed, (done, none) -> {
                LOG.info(
                        "session {} serves {} topics",
                        opened.session(),
                        image.topics().size());
                firstReady.complete(null);
            });
        });
    }

    /** Fences this node's sessions of the past, registers the next one and creates its journal. */
    private CompletableFuture<NodeLog> register() {
        if (root.isEmpty()) {
            return CompletableFuture.failedFuture(
                    new StoreException(StoreException.Kind.UNAVAILABLE, "there is no controller at the moment"));
        }
        Root controller = root.get();
        JournalFence fence = new JournalFence(
                ports.log().store(), control, ports.log().clock(), ports.log().maker(), FenceConfig.DEFAULT);
        List<Long> fenced = new ArrayList<>();
        CompletableFuture<Void> fencing = CompletableFuture.completedFuture(null);
        for (SessionImage past : controller.image().sessions()) {
            if (past.nodeId() == identity.nodeId()) {
                fenced.add(past.session());
                String prefix = JournalPath.ofSession(past.session(), 0).prefix();
                fencing = fencing.thenComposeAsync(
                        done -> fence.fence(prefix, past.session(), past.lanes())
                                .thenApply(ends -> null),
                        control);
            }
        }
        // Each session gets an incarnation of its own: registering it again gives the same number.
        Maker incarnation = Maker.random(ports.root().random());
        return fencing.thenComposeAsync(
                        done -> controller.submit(new RegisterSession(
                                identity.nodeId(),
                                incarnation,
                                identity.lanes(),
                                identity.host(),
                                identity.port(),
                                identity.rack(),
                                fenced)),
                        control)
                .thenComposeAsync(
                        number -> {
                            NodeLog opened =
                                    new NodeLog(number, ports.log(), ports.logConfig(), past -> image.isEnded(past));
                            return opened.start().thenApply(started -> opened);
                        },
                        control);
    }

    private void sessionEnded(JournalEndedException cause) {
        session.ifPresent(ServedSession::end);
        session = Optional.empty();
        log = Optional.empty();
        if (cause.reason() == JournalEndedException.Reason.FENCED) {
            takenOver();
        } else if (!closing) {
            LOG.warn("the session is over ({}): beginning a new one", cause.getMessage());
            beginSession();
        }
    }

    /** Only another process of this node fences it: there is one node, and this life of it is over. */
    private void takenOver() {
        if (!closing) {
            closing = true;
            LOG.error("another process has taken over this node: this one serves nothing any more");
            session.ifPresent(ServedSession::end);
            session = Optional.empty();
            firstReady.completeExceptionally(new IllegalStateException("another process has taken over this node"));
            takenOver.complete(null);
        }
    }

    private long pause(Throwable cause, int failures) {
        boolean hopeless = cause instanceof StoreException store
                && (store.kind() == StoreException.Kind.INVALID || store.kind() == StoreException.Kind.CORRUPT);
        if (cause instanceof JournalEndedException ended && ended.reason() == JournalEndedException.Reason.FENCED) {
            takenOver();
        }
        if (closing || (hopeless && !firstReady.isDone())) {
            return Retry.GIVE_UP;
        }
        long pauseMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(failures - 1, 10));
        LOG.warn("the store does not let this node begin, trying again in {} ms: {}", pauseMs, cause.toString());
        return pauseMs;
    }

    private void giveUp(Throwable failure) {
        if (!closing) {
            LOG.error("this node cannot go on: {}", failure.toString());
        }
        firstReady.completeExceptionally(failure);
    }

    private void scheduleTending() {
        var unused = control.schedule(
                () -> {
                    session.ifPresent(s -> s.tend(tend.producerExpirationMs()));
                    if (!closing) {
                        scheduleTending();
                    }
                },
                tend.everyMs());
    }

    /** Ends the session and the term in good order. */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        control.execute(() -> {
            closing = true;
            session.ifPresent(ServedSession::end);
            session = Optional.empty();
            CompletableFuture<Void> logClosed = log.map(NodeLog::close).orElse(CompletableFuture.completedFuture(null));
            When.doneOn(control, logClosed, (done, failure) -> {
                CompletableFuture<Void> rootClosed =
                        root.map(Root::close).orElse(CompletableFuture.completedFuture(null));
                When.done(rootClosed, (end, ignored) -> closed.complete(null));
            });
        });
        return closed;
    }
}
