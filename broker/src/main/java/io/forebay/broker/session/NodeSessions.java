package io.forebay.broker.session;

import io.forebay.broker.fetch.PartitionSource;
import io.forebay.broker.partition.TopicConfigSource;
import io.forebay.cluster.command.NodeCommand;
import io.forebay.cluster.control.Leadership;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.TopicImage;
import io.forebay.cluster.member.Member;
import io.forebay.cluster.member.MemberContext;
import io.forebay.cluster.member.MemberIdentity;
import io.forebay.cluster.member.MemberListener;
import io.forebay.cluster.member.ShardReport;
import io.forebay.log.NodeLog;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of this node, one after the other: each is registered by its membership, gets a journal, and serves the shards that the image gives it, until its journal
 * ends or the controller ends it. Then the next one begins, for as long as the process runs.
 *
 * <p>Owned by the control loop. The end of a session closes all of its partitions with a retriable error; a change of the controller interrupts none.
 */
public final class NodeSessions {

    private static final Logger LOG = LoggerFactory.getLogger(NodeSessions.class);
    private static final long SUBMIT_TIMEOUT_MS = 15_000;

    private final MemberIdentity identity;
    private final NodePorts ports;
    private final TopicConfigSource configs;
    private final PartitionObserver observer;
    private final TendConfig tend;
    private final Loop control;
    private final Leadership leadership;
    private final Member member;
    private final ServedPartitions served = new ServedPartitions();
    private final CompletableFuture<Void> firstReady = new CompletableFuture<>();
    private final CompletableFuture<String> takenOver = new CompletableFuture<>();
    private Optional<NodeLog> log = Optional.empty();
    private Optional<ServedSession> session = Optional.empty();
    private Consumer<MetadataImage> imageListener = image -> {};
    private CompletableFuture<Void> followed = CompletableFuture.completedFuture(null);
    private volatile MetadataImage image = MetadataImage.EMPTY;
    private volatile Optional<ShardViews> views = Optional.empty();
    private volatile BooleanSupplier proof = NodeSessions::unproven;
    /** The session that was registered last. */
    private long current = -1;

    private boolean closing;

    public NodeSessions(
            MemberIdentity identity,
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
        this.leadership = new Leadership(ports.root(), ports.control());
        this.member = new Member(
                new MemberContext(
                        identity,
                        ports.root().maker(),
                        ports.root().store(),
                        control,
                        ports.root().clock(),
                        ports.root().random(),
                        ports.peers(),
                        ports.control()),
                leadership,
                new Membership());
    }

    /** Begins; completes when the first session serves everything it was given, fails if it never will. */
    public CompletableFuture<Void> start() {
        control.execute(() -> {
            member.start();
            scheduleTending();
        });
        return firstReady;
    }

    /** Clients can reach this node from now on: before, it gets only shards that nobody else could have, and its own of an earlier life. Any thread. */
    public void serves() {
        control.execute(member::serves);
    }

    /** How this node is. Any thread; completes on the control loop. */
    public CompletableFuture<NodeHealth> health() {
        CompletableFuture<NodeHealth> health = new CompletableFuture<>();
        control.execute(() -> {
            ShardReport report = session.map(ServedSession::report).orElse(ShardReport.NONE);
            long owned = image.shards().stream()
                    .filter(shard -> shard.ownerSession() == current)
                    .count();
            health.complete(new NodeHealth(
                    current,
                    report.proofAgeMs(),
                    ports.control().sessionTimeoutMs(),
                    image.version(),
                    member.controller(),
                    Math.toIntExact(owned),
                    report.open().size()));
        });
        return health;
    }

    /** Completes, with the reason, if another process has taken this node's place: this one serves nothing any more. */
    public CompletableFuture<String> whenTakenOver() {
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

    /** The proof of a node without a session. */
    private static boolean unproven() {
        return false;
    }

    /** A partition of another node as it can be read from the store; empty if this node owns it, or has no session. Any thread. */
    public Optional<PartitionSource> viewed(UUID topicId, int index) {
        MetadataImage now = image;
        TopicImage topic = now.topic(topicId);
        return topic == null || index < 0 || index >= topic.partitions().size()
                ? Optional.empty()
                : views.flatMap(all -> all.find(now, topic.partitions().get(index)));
    }

    /** Whether it is proven that the present session is not over. Any thread. */
    public boolean mayServe() {
        return proof.getAsBoolean();
    }

    /** The controller's side of this node: answers what other nodes ask its control port. */
    public Leadership leadership() {
        return leadership;
    }

    /**
     * Asks the controller. Completes on the control loop, when the change is durable and this node has begun to serve what it
     * added; fails with {@link io.forebay.cluster.member.SubmitException}.
     */
    public <T> CompletableFuture<T> submit(NodeCommand<T> command) {
        CompletableFuture<T> reply = new CompletableFuture<>();
        When.doneOn(control, member.submit(command, SUBMIT_TIMEOUT_MS), (answer, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(Retry.unwrap(failure));
            } else {
                When.doneOn(control, followed, (done, ignored) -> reply.complete(answer));
            }
        });
        return reply;
    }

    /** What a membership means here. */
    private final class Membership implements MemberListener {

        @Override
        public void registered(long number) {
            beginSession(number);
        }

        @Override
        public void image(MetadataImage newer) {
            image = newer;
            imageListener.accept(newer);
            session.ifPresent(s -> {
                CompletableFuture<Void> added = s.follow(newer);
                followed = followed.isDone() ? added : CompletableFuture.allOf(followed, added);
            });
            becomeReady();
        }

        @Override
        public void release(ShardId shard, long epoch) {
            session.ifPresent(s -> s.release(shard, epoch));
        }

        @Override
        public void ended(long number) {
            if (number == current) {
                // What its journal still says is of no interest; it ends when it finds itself fenced.
                current = -1;
                log.ifPresent(fenced -> {
                    var unused = fenced.close();
                });
                endSession();
            }
        }

        @Override
        public void takenOver(String why) {
            NodeSessions.this.takenOver(why);
        }

        @Override
        public void hopeless(Throwable why) {
            LOG.error("this node cannot begin: {}", String.valueOf(why.getMessage()));
            firstReady.completeExceptionally(why);
        }

        @Override
        public ShardReport report() {
            return session.map(ServedSession::report).orElse(ShardReport.NONE);
        }
    }

    // ------------------------------------------------------------------ session

    private void beginSession(long number) {
        current = number;
        if (!Role.ownsShards(identity.roles())) {
            LOG.info("session {} stands for the controller's role only", number);
            becomeReady();
            return;
        }
        NodeLog opened = new NodeLog(
                number,
                ports.log(),
                ports.logConfig(),
                past -> image.isEnded(past),
                () -> leadership.leads(image.term()));
        When.doneOn(control, opened.ended(), (cause, none) -> sessionEnded(number, cause));
        When.doneOn(control, opened.start(), (started, failure) -> {
            if (failure == null && number == current && !closing) {
                serve(opened);
            }
        });
    }

    private void serve(NodeLog opened) {
        log = Optional.of(opened);
        ServingProof own = new ServingProof(
                opened, control, ports.root().clock(), ports.control().sessionTimeoutMs());
        ServedSession serving = new ServedSession(
                identity.nodeId(),
                opened,
                ports.shardLoops(),
                control,
                ports.root().clock(),
                configs,
                served,
                observer,
                image,
                own,
                member::hurry,
                () -> giveUp(opened.session()));
        session = Optional.of(serving);
        views = Optional.of(new ShardViews(opened, ports.shardLoops()));
        own.start();
        proof = own;
        followed = serving.follow(image);
        opened.onKeptByClosed(serving::openToLetGo);
        serving.lookAtLeisure();
        becomeReady();
    }

    /** A node is ready when its image shows its session, and that serves all it was given. */
    private void becomeReady() {
        boolean serves = session.isPresent() || !Role.ownsShards(identity.roles());
        if (!firstReady.isDone() && serves && image.isLive(current)) {
            long number = current;
            When.doneOn(control, followed, (done, none) -> {
                if (firstReady.complete(null)) {
                    LOG.info(
                            "session {} is ready, the cluster has {} topics",
                            number,
                            image.topics().size());
                }
            });
        }
    }

    private void sessionEnded(long number, JournalEndedException cause) {
        if (number == current) {
            current = -1;
            endSession();
            if (!closing) {
                LOG.warn("session {} is over ({}): beginning a new one", number, cause.getMessage());
                member.renew();
            }
        }
    }

    /** The session is in a state that only a fence resolves, which the next one brings. */
    private void giveUp(long number) {
        if (number == current && !closing) {
            current = -1;
            log.ifPresent(left -> {
                var unused = left.close();
            });
            endSession();
            member.renew();
        }
    }

    private void endSession() {
        proof = NodeSessions::unproven;
        views = Optional.empty();
        session.ifPresent(ServedSession::end);
        session = Optional.empty();
        log = Optional.empty();
    }

    private void takenOver(String why) {
        if (!closing) {
            closing = true;
            LOG.error("this node serves nothing any more: {}", why);
            endSession();
            firstReady.completeExceptionally(new IllegalStateException(why));
            takenOver.complete(why);
        }
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

    // ------------------------------------------------------------------ the end

    /** Gives all shards to others, if there are any, and completes when they have them. Any thread. */
    public CompletableFuture<Void> drain() {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        control.execute(() -> When.done(member.drain(), (done, failure) -> drained.complete(null)));
        return drained;
    }

    /** Ends the session and the term in good order. */
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        control.execute(() -> {
            closing = true;
            Optional<NodeLog> last = log;
            session.ifPresent(ServedSession::end);
            session = Optional.empty();
            CompletableFuture<Void> logClosed =
                    last.map(NodeLog::close).orElse(CompletableFuture.completedFuture(null));
            When.doneOn(
                    control,
                    logClosed,
                    (done, failure) -> When.doneOn(
                            control,
                            failure == null ? member.leave() : CompletableFuture.<Void>completedFuture(null),
                            (left, none) -> {
                                member.close();
                                When.done(leadership.close(), (end, ignored) -> closed.complete(null));
                            }));
        });
        return closed;
    }
}
