package io.forebay.cluster.member;

import io.forebay.cluster.command.NodeCommand;
import io.forebay.cluster.control.Asker;
import io.forebay.cluster.control.Leadership;
import io.forebay.cluster.control.MakerBytes;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.placement.Placement;
import io.forebay.cluster.root.TermClaim;
import io.forebay.cluster.root.TermTakenException;
import io.forebay.cluster.root.Terms;
import io.forebay.formats.control.Attend;
import io.forebay.formats.control.Attended;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Lead;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.Standing;
import io.forebay.formats.control.Submit;
import io.forebay.log.journal.Maker;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import io.forebay.store.StoreException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's membership, for as long as the process runs:
 *
 * <pre>
 *   finding the controller ─► registering a session ─► attending ─► (the session is over) ─► registering …
 *         ▲    │ nobody leads: claim the next term          │
 *         └────┴──────────── no answer, or not the leader ◄─┘
 * </pre>
 *
 * <p>Owned by the control loop. While the controller is searched for, the session goes on: its right to serve is proven by the store, not by the controller.
 */
public final class Member {

    private static final Logger LOG = LoggerFactory.getLogger(Member.class);
    private static final long FIRST_PAUSE_MS = 20;
    private static final long LONG_PAUSE_MS = 1_000;
    /** Failures in a row of which one is told. */
    private static final int TELL_EVERY = 20;

    private final MemberContext context;
    private final MemberIdentity identity;
    private final Leadership leadership;
    private final Asker self = new Asker();
    private final MemberListener listener;
    private final Terms terms;
    private final LeaderSearch search;
    private final Submissions submissions;
    private MetadataImage image = MetadataImage.EMPTY;
    private Optional<TermClaim> leader = Optional.empty();
    private Optional<TermClaim> newest = Optional.empty();
    private Optional<Maker> incarnation = Optional.empty();
    private long session = NONE;
    /** The last term whose leader was named in the log. */
    private long toldTerm = NONE;
    /** When a controller answered last; only meaningful once one did. */
    private long heardNanos;

    private boolean heard;
    /** Whether the log was told that there is no controller. */
    private boolean toldAlone;

    private int failures;
    /** Grows with every search, so that answers to questions from before it are known to be late. */
    private int round;

    /** Whether this round waits for the store to say who leads. */
    private boolean listing;

    private boolean begun;
    private boolean draining;
    private boolean serves;
    private boolean closed;
    private boolean hurrying;
    private boolean hurryAgain;

    private static final long NONE = -1;

    public Member(MemberContext context, Leadership leadership, MemberListener listener) {
        this.context = context;
        this.identity = context.identity();
        this.leadership = leadership;
        this.listener = listener;
        this.terms = new Terms(context.store(), context.loop());
        this.search = new LeaderSearch(context.config(), context.random());
        this.submissions = new Submissions(context.loop(), context.clock(), new Way());
    }

    /** Begins. Any thread. */
    public void start() {
        context.loop().execute(this::find);
    }

    // ------------------------------------------------------------------ finding the controller

    private void find() {
        if (closed) {
            return;
        }
        int mine = ++round;
        listing = true;
        When.doneOn(context.loop(), terms.newest(), (found, failure) -> {
            if (mine != round || closed) {
                return;
            }
            listing = false;
            if (failure != null) {
                storeFailed(Retry.unwrap(failure));
                return;
            }
            newest = found;
            if (found.isEmpty()) {
                claim(0, Optional.empty());
            } else {
                consider(found.get());
            }
        });
        newest.ifPresent(known -> {
            var unused = context.loop()
                    .schedule(
                            () -> findWithoutStore(mine, known),
                            context.config().answerMs());
        });
    }

    /** While the store does not answer, the leader that was known may do so: to be silent would end the session. */
    private void findWithoutStore(int of, TermClaim known) {
        if (of == round && listing && !closed && !leadership.isClaiming()) {
            round++;
            askWhetherItLeads(known);
        }
    }

    private void consider(TermClaim claim) {
        leadership.known(claim.term(), claim.address());
        search.asks(claim, now());
        if (claim.process().equals(context.process())) {
            if (leadership.leads(claim.term())) {
                found(claim);
            } else {
                claim(claim.term() + 1, Optional.empty());
            }
        } else if (claim.nodeId() == identity.nodeId() && begun) {
            takenOver("another process with the same node.id has begun: only one may run");
        } else if (claim.nodeId() == identity.nodeId() && isCandidate() && !mayBeACluster(claim)) {
            // An earlier life of this node: nothing is to be waited for.
            claim(claim.term() + 1, Optional.of(claim.process()));
        } else {
            askWhetherItLeads(claim);
        }
    }

    /** Whether a node of that number may listen for others now, while this one does not: it must not be taken for an earlier life before it was asked. */
    private boolean mayBeACluster(TermClaim claim) {
        return identity.address().isEmpty() && !claim.address().isEmpty();
    }

    private boolean isCandidate() {
        return identity.roles().contains(Role.CONTROLLER);
    }

    private void askWhetherItLeads(TermClaim claim) {
        int mine = round;
        ControlRequest question =
                request(claim).setLead(Lead.getDefaultInstance()).build();
        long askedNanos = now();
        // The first questions of a process are slow, and that is no reason to depose anybody.
        long waitMs = begun ? context.config().answerMs() : context.config().sessionTimeoutMs();
        When.doneOn(context.loop(), ask(claim, question, waitMs), (reply, failure) -> {
            if (mine != round || closed) {
                return;
            }
            if (failure != null) {
                search.unanswered(Retry.unwrap(failure), now() - askedNanos);
                if (search.isGone(now()) && isCandidate()) {
                    LOG.warn(
                            "node {}, which led term {}, does not answer ({}): claiming the next term",
                            claim.nodeId(),
                            claim.term(),
                            Retry.unwrap(failure).getMessage());
                    claim(claim.term() + 1, Optional.of(claim.process()));
                } else {
                    findLater();
                }
                return;
            }
            search.answered(now());
            if (reply.getStanding() != Standing.NOT_LEADING
                    && identity.address().isEmpty()) {
                alone(claim);
            } else if (reply.getStanding() == Standing.LEADS) {
                found(claim);
            } else if (reply.getStanding() == Standing.REFUSED) {
                refused(reply.getMessage());
            } else if (reply.getStanding() == Standing.NOT_LEADING
                    && reply.getTerm() <= claim.term()
                    && isCandidate()) {
                claim(claim.term() + 1, Optional.empty());
            } else {
                findLater();
            }
        });
    }

    /** Others share the store, and this node cannot talk to them. */
    private void alone(TermClaim claim) {
        String why = "node " + claim.nodeId() + " runs on this store and listens for others at " + claim.address()
                + ": give this node cluster.listen"
                + (claim.nodeId() == identity.nodeId() ? " and another node.id" : "")
                + " so that they can share it";
        if (begun) {
            takenOver(why);
        } else {
            closed = true;
            listener.hopeless(new IllegalStateException(why));
        }
    }

    private void found(TermClaim claim) {
        if (claim.term() != toldTerm) {
            toldTerm = claim.term();
            LOG.info("node {} is the controller, in term {}", claim.nodeId(), claim.term());
        }
        leader = Optional.of(claim);
        failures = 0;
        if (session == NONE) {
            register();
        } else {
            attend();
        }
    }

    private void claim(long term, Optional<Maker> silent) {
        if (!isCandidate()) {
            findLater();
            return;
        }
        if (leadership.isClaiming()) {
            findLater();
            return;
        }
        int mine = round;
        When.doneOn(context.loop(), leadership.claim(term, silent), (done, failure) -> {
            if (closed || mine != round) {
                return;
            }
            Throwable cause = failure == null ? null : Retry.unwrap(failure);
            if (cause == null) {
                found(ownClaim(term));
            } else if (cause instanceof TermTakenException) {
                find();
            } else {
                storeFailed(cause);
            }
        });
    }

    private TermClaim ownClaim(long term) {
        TermClaim own = new TermClaim(term, identity.nodeId(), context.process(), identity.address());
        newest = Optional.of(own);
        leadership.known(term, own.address());
        return own;
    }

    private void storeFailed(Throwable cause) {
        boolean hopeless = cause instanceof StoreException store
                && (store.kind() == StoreException.Kind.INVALID || store.kind() == StoreException.Kind.CORRUPT);
        if (hopeless && !begun) {
            closed = true;
            listener.hopeless(cause);
            return;
        }
        if (failures % TELL_EVERY == 0) {
            LOG.warn(
                    "the store does not let this node find or become the controller, trying again: {}",
                    cause.toString());
        }
        findLater();
    }

    private void heard() {
        if (toldAlone) {
            LOG.info("a controller answers again, after {} ms", (now() - heardNanos) / 1_000_000);
            toldAlone = false;
        }
        heard = true;
        heardNanos = now();
    }

    /** Who was the controller when one answered last, and how long ago that is. On the loop. */
    public Optional<ControllerContact> controller() {
        return heard
                ? leader.or(() -> newest)
                        .map(claim -> new ControllerContact(claim.nodeId(), (now() - heardNanos) / 1_000_000))
                : Optional.empty();
    }

    private void findLater() {
        if (heard && !toldAlone && now() - heardNanos > context.config().sessionTimeoutMs() * 1_000_000) {
            toldAlone = true;
            LOG.warn(
                    "no controller has answered for {} ms: what is open is served, metadata cannot change",
                    (now() - heardNanos) / 1_000_000);
        }
        leader = Optional.empty();
        failures++;
        pause(Retry.doubling(failures, FIRST_PAUSE_MS, context.config().attendMs()), this::find);
    }

    private void pause(long ms, Runnable then) {
        int mine = ++round;
        var unused = context.loop()
                .schedule(
                        () -> {
                            if (mine == round && !closed) {
                                then.run();
                            }
                        },
                        ms);
    }

    private void refused(String why) {
        if (!begun && identity.address().isEmpty()) {
            closed = true;
            listener.hopeless(new IllegalStateException(why));
            return;
        }
        LOG.error("the controller refuses this node: {}", why);
        leader = Optional.empty();
        pause(LONG_PAUSE_MS, this::find);
    }

    // ------------------------------------------------------------------ asking

    private ControlRequest.Builder request(TermClaim to) {
        long known = newest.map(TermClaim::term).orElse(NONE);
        return ControlRequest.newBuilder()
                .setTerm(Math.max(known, to.term()))
                .setClusterId(image.clusterId())
                .setLeader(MakerBytes.of(to.process()));
    }

    private CompletableFuture<ControlReply> ask(TermClaim to, ControlRequest question, long timeoutMs) {
        return to.process().equals(context.process())
                ? leadership.answer(question, self)
                : context.peers().ask(to.address(), question, timeoutMs);
    }

    private long now() {
        return context.clock().nanos();
    }

    /** Whether the answer is the leader's own; if it is not, the search begins anew. */
    private boolean isAnswer(ControlReply reply, Throwable failure) {
        if (failure != null) {
            // The search asks again, and tells silence from refusal.
            findLater();
            return false;
        }
        search.answered(now());
        switch (reply.getStanding()) {
            case LEADS -> {
                heard();
                return true;
            }
            case REFUSED -> refused(reply.getMessage());
            default -> findLater();
        }
        return false;
    }

    // ------------------------------------------------------------------ registering

    private void register() {
        TermClaim to = leader.orElseThrow();
        if (incarnation.isEmpty()) {
            incarnation = Optional.of(Maker.random(context.random()));
        }
        int mine = round;
        ControlRequest question = request(to)
                .setRegister(Questions.register(identity, context.process(), incarnation.get()))
                .build();
        // The sessions of the past are fenced before there is an answer.
        long patience = 10 * context.config().sessionTimeoutMs();
        When.doneOn(context.loop(), ask(to, question, patience), (reply, failure) -> {
            if (mine != round || closed || !isAnswer(reply, failure)) {
                return;
            }
            session = reply.getRegistered().getSession();
            begun = true;
            listener.registered(session);
            attend();
        });
    }

    /** The session's journal has ended: another session begins. On the loop. */
    public void renew() {
        if (!closed) {
            session = NONE;
            incarnation = Optional.empty();
            if (leader.isPresent()) {
                round++;
                register();
            }
        }
    }

    // ------------------------------------------------------------------ attending

    private void attend() {
        TermClaim to = leader.orElseThrow();
        int mine = ++round;
        Attend.Builder report = Questions.attend(session, image.version(), listener.report());
        ControlRequest question = request(to)
                .setAttend(report.setWait(true).setDraining(draining).setServes(serves))
                .build();
        long version = image.version();
        long patience = context.config().attendMs() + context.config().answerMs();
        When.doneOn(context.loop(), ask(to, question, patience), (reply, failure) -> {
            if (mine == round && !closed && isAnswer(reply, failure)) {
                took(reply.getAttended(), version);
                if (mine == round && !closed) {
                    attend();
                }
            }
        });
    }

    /** Clients can reach this node from now on: it may be given what others serve. On the loop. */
    public void serves() {
        serves = true;
        hurry();
    }

    /** Something of the report has changed that the controller waits for. On the loop. */
    public void hurry() {
        if (hurrying || session == NONE || leader.isEmpty() || closed) {
            hurryAgain = hurrying;
            return;
        }
        hurrying = true;
        TermClaim to = leader.get();
        long of = session;
        long version = image.version();
        ControlRequest question = request(to)
                .setAttend(Questions.attend(of, version, listener.report())
                        .setDraining(draining)
                        .setServes(serves))
                .build();
        When.doneOn(context.loop(), ask(to, question, context.config().answerMs()), (reply, failure) -> {
            hurrying = false;
            // One that was lost is made up for by the next regular report.
            if (failure == null && reply.getStanding() == Standing.LEADS && of == session && !closed) {
                took(reply.getAttended(), version);
            }
            if (hurryAgain) {
                hurryAgain = false;
                hurry();
            }
        });
    }

    /** @param version of the image when the question was asked */
    private void took(Attended news, long version) {
        if (news.hasImage() && news.getImage().getVersion() > image.version()) {
            follow(MetadataImage.EMPTY
                    .apply(news.getImage().getRecordsList())
                    .withVersion(news.getImage().getVersion()));
        } else if (news.hasRecords() && image.version() == version) {
            follow(image.apply(news.getRecords()));
        }
        if (news.getEnded()) {
            over();
            return;
        }
        for (ShardEpoch shard : news.getReleaseList()) {
            listener.release(new ShardId(shard.getShard()), shard.getEpoch());
        }
    }

    private void follow(MetadataImage newer) {
        image = newer;
        listener.image(newer);
        submissions.follow(newer);
    }

    /** The controller has ended the session. */
    private void over() {
        long old = session;
        if (old == NONE) {
            return;
        }
        NodeImage node = image.node(identity.nodeId());
        SessionImage now = node == null ? null : image.session(node.session());
        if (now != null && now.session() > old && !now.process().equals(context.process())) {
            takenOver("another process with node.id " + identity.nodeId() + " has registered: only one may run");
            return;
        }
        LOG.warn("session {} was ended by the controller: beginning a new one", old);
        listener.ended(old);
        if (session == old) {
            renew();
        }
    }

    private void takenOver(String why) {
        closed = true;
        round++;
        listener.takenOver(why);
    }

    // ------------------------------------------------------------------ commands

    /**
     * Asks the controller, for at most so long. Any thread; completes on the control loop, when the change is durable and this node's image shows it.
     * Fails with {@link SubmitException}.
     */
    public <T> CompletableFuture<T> submit(NodeCommand<T> command, long timeoutMs) {
        return submissions.submit(command, timeoutMs);
    }

    /** The way of commands to whoever leads at the moment. */
    private final class Way implements Submissions.Way {
        @Override
        public boolean isOpen() {
            return leader.isPresent() && !closed;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public CompletableFuture<ControlReply> submit(ClusterCommand command, long timeoutMs) {
            TermClaim to = leader.orElseThrow();
            ControlRequest question = request(to)
                    .setSubmit(Submit.newBuilder().setCommand(command))
                    .build();
            return ask(to, question, timeoutMs);
        }
    }

    // ------------------------------------------------------------------ the end

    /** Asks for all shards to be taken. Completes on the loop when none is left here, or nobody else could have them. On the loop. */
    public CompletableFuture<Void> drain() {
        draining = true;
        hurry();
        CompletableFuture<Void> drained = new CompletableFuture<>();
        awaitDrained(drained);
        return drained;
    }

    private void awaitDrained(CompletableFuture<Void> drained) {
        boolean has = image.shards().stream().anyMatch(shard -> shard.ownerSession() == session);
        boolean othersExist = !new Placement(image, Set.of(session)).nobodyIsWilling();
        if (session == NONE || closed || !has || !othersExist) {
            drained.complete(null);
        } else {
            var unused = context.loop().schedule(() -> awaitDrained(drained), FIRST_PAUSE_MS);
        }
    }

    /** Tells the controller that the session is over, its journal closed. Completes when it knows, or does not answer. On the loop. */
    public CompletableFuture<Void> leave() {
        CompletableFuture<Void> left = new CompletableFuture<>();
        if (leader.isEmpty() || session == NONE || closed) {
            close();
            left.complete(null);
            return left;
        }
        TermClaim to = leader.get();
        ControlRequest question = request(to)
                .setAttend(Questions.attend(session, image.version(), ShardReport.NONE)
                        .setDraining(true)
                        .setLeaving(true))
                .build();
        close();
        When.doneOn(
                context.loop(),
                ask(to, question, context.config().sessionTimeoutMs()),
                (reply, failure) -> left.complete(null));
        return left;
    }

    /** Says and asks nothing any more. On the loop. */
    public void close() {
        closed = true;
        round++;
    }
}
