package io.forebay.cluster.control;

import io.forebay.cluster.command.CommandReading;
import io.forebay.cluster.command.DrainNode;
import io.forebay.cluster.command.EndSession;
import io.forebay.cluster.command.NodeCommand;
import io.forebay.cluster.command.RegisterSession;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.cluster.image.Role;
import io.forebay.cluster.image.SessionImage;
import io.forebay.cluster.root.Root;
import io.forebay.cluster.root.RootContext;
import io.forebay.formats.control.Attend;
import io.forebay.formats.control.Attended;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.CommandReply;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Register;
import io.forebay.formats.control.Registered;
import io.forebay.formats.control.ShardEpoch;
import io.forebay.formats.control.Standing;
import io.forebay.formats.control.Submitted;
import io.forebay.formats.metadata.MetadataBatch;
import io.forebay.log.journal.FenceConfig;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.JournalFence;
import io.forebay.log.journal.JournalPath;
import io.forebay.log.journal.Maker;
import io.forebay.model.Retry;
import io.forebay.model.ShardId;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller of one term at work: registers sessions, tells members what is new, and fences those that fall silent; {@link Owners} sees to the shards.
 *
 * <p>Owned by the control loop. What it remembers besides the image (who was heard when, which shards are to move) is lost with it, and
 * is not needed for safety: the next controller gives everybody a whole time-out and plans anew. An owner changes only by a record that follows
 * a fence of the session or the owner's own word that it has released the shard.
 */
final class Controller {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final long FIRST_PAUSE_MS = 50;
    private static final long LAST_PAUSE_MS = 1_000;

    private final Root root;
    private final RootContext context;
    private final ControlConfig config;
    private final JournalFence fence;
    private final RecentRecords recent;
    private final Members members;
    private final Owners owners;
    private final Map<Maker, CompletableFuture<Long>> registering = new HashMap<>();
    private final Map<Long, CompletableFuture<Void>> ending = new HashMap<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final Consumer<String> resign;
    /** When the last look began that found the term to go on. */
    private long provenNanos;

    private boolean proving;
    private long tickNanos;
    private boolean over;

    /** A member whose answer waits for news. */
    private record Waiting(long session, long version, long untilNanos, CompletableFuture<ControlReply> reply) {}

    /**
     * A controller that has done nothing yet.
     *
     * @param root has flushed its first record
     * @param resign ends the term, for a reason, so that somebody else may lead
     */
    Controller(Root root, RootContext context, ControlConfig config, Consumer<String> resign) {
        this.root = root;
        this.context = context;
        this.config = config;
        this.fence = new JournalFence(
                context.store(), context.loop(), context.clock(), context.maker(), FenceConfig.DEFAULT);
        this.recent = new RecentRecords(root.image());
        this.resign = resign;
        this.provenNanos = now();
        this.members = new Members(context.clock(), config);
        this.owners = new Owners(root, context, config, members, this::tellWhoHasNews);
    }

    /**
     * Begins to work.
     *
     * @param silent process of the controller before, if that said nothing for a whole time-out: its sessions are not waited for again
     */
    void start(Maker silent) {
        tickNanos = now();
        List<Long> dead = new ArrayList<>();
        for (SessionImage session : image().sessions()) {
            Attendance unused = members.of(session.session());
            // An earlier life of this node: its registration fences that, and keeps its shards here.
            boolean ours = session.nodeId() == context.nodeId();
            if (session.process().equals(silent) && !silent.equals(context.maker()) && !ours) {
                dead.add(session.session());
            }
        }
        root.onDurable(this::durable);
        for (long session : dead) {
            var unused = end(session, "it led the term before and said nothing");
        }
        settle();
        tick();
    }

    /** The term is over. */
    void end() {
        over = true;
        owners.end();
        waiting.forEach(one -> one.reply().complete(reply(Standing.NOT_LEADING).build()));
        waiting.clear();
    }

    private MetadataImage image() {
        return root.image();
    }

    private long now() {
        return context.clock().nanos();
    }

    // ------------------------------------------------------------------ questions

    CompletableFuture<ControlReply> answer(ControlRequest request, Asker asker) {
        String mine = image().clusterId();
        if (!request.getClusterId().isEmpty() && !request.getClusterId().equals(mine)) {
            return refused("this is the control port of cluster " + mine + ", the question is for cluster "
                    + request.getClusterId() + ": each cluster needs a store prefix and control ports of its own");
        }
        boolean fromMember = request.hasRegister() || request.hasAttend();
        if (fromMember && request.getLeader().isEmpty()) {
            return refused("a member that does not say whom its store names as the leader: update this node");
        }
        return switch (request.getAskCase()) {
            case LEAD -> CompletableFuture.completedFuture(reply(Standing.LEADS).build());
            case REGISTER -> register(request.getRegister());
            case ATTEND -> attend(request.getAttend(), asker);
            case SUBMIT -> submit(request.getSubmit().getCommand());
            case STATUS ->
                CompletableFuture.completedFuture(reply(Standing.LEADS)
                        .setStatus(StatusReport.of(image(), members, owners.moves(), now()))
                        .build());
            case HEALTH, ASK_NOT_SET -> refused("a question that a controller does not answer: update this node");
        };
    }

    private ControlReply.Builder reply(Standing standing) {
        return ControlReply.newBuilder().setStanding(standing).setTerm(root.term());
    }

    private CompletableFuture<ControlReply> refused(String why) {
        return CompletableFuture.completedFuture(
                reply(Standing.REFUSED).setMessage(why).build());
    }

    /** Answers when something is done; not at all if nobody knows whether it was. */
    private <T> CompletableFuture<ControlReply> answered(
            CompletableFuture<T> done, Function<T, ControlReply.Builder> answer) {
        CompletableFuture<ControlReply> reply = new CompletableFuture<>();
        When.done(done, (value, failure) -> {
            if (failure == null) {
                reply.complete(answer.apply(value).build());
            } else if (over || Retry.unwrap(failure) instanceof JournalEndedException) {
                // The records may be durable or not: to refuse would be to say that nothing was done.
                reply.completeExceptionally(Retry.unwrap(failure));
            } else {
                reply.complete(reply(Standing.REFUSED)
                        .setMessage(String.valueOf(Retry.unwrap(failure).getMessage()))
                        .build());
            }
        });
        return reply;
    }

    // ------------------------------------------------------------------ registering

    private CompletableFuture<ControlReply> register(Register ask) {
        int level = image().level();
        if (level < ask.getMinLevel() || level > ask.getMaxLevel()) {
            return refused("the cluster works at feature level " + level + ", node " + ask.getNodeId()
                    + " can work at levels " + ask.getMinLevel() + " to " + ask.getMaxLevel()
                    + ": start it with a version that can");
        }
        Maker incarnation = MakerBytes.read(ask.getIncarnation());
        CompletableFuture<Long> session = registering.get(incarnation);
        if (session == null || session.isCompletedExceptionally()) {
            session = register(ask, incarnation);
            registering.put(incarnation, session);
            When.doneOn(context.loop(), session, (number, failure) -> registering.remove(incarnation));
        }
        return answered(
                session,
                number -> reply(Standing.LEADS)
                        .setRegistered(Registered.newBuilder().setSession(number)));
    }

    private CompletableFuture<Long> register(Register ask, Maker incarnation) {
        List<Long> past = new ArrayList<>();
        List<CompletableFuture<Void>> fences = new ArrayList<>();
        for (SessionImage session : root.decided().sessions()) {
            if (session.nodeId() == ask.getNodeId() && !session.incarnation().equals(incarnation)) {
                past.add(session.session());
                fences.add(fence(session));
            }
        }
        return CompletableFuture.allOf(fences.toArray(CompletableFuture<?>[]::new))
                .thenComposeAsync(
                        fenced -> root.submit(new RegisterSession(
                                ask.getNodeId(),
                                incarnation,
                                MakerBytes.read(ask.getProcess()),
                                ask.getLanes(),
                                roles(ask.getRolesList()),
                                ask.getMaxLevel(),
                                ask.getHost(),
                                ask.getPort(),
                                ask.getRack(),
                                past,
                                members.draining())),
                        context.loop())
                .thenApplyAsync(
                        session -> {
                            LOG.info(
                                    "session {} of node {} begins{}",
                                    session,
                                    ask.getNodeId(),
                                    past.isEmpty() ? "" : ", after " + past);
                            Attendance unused = members.of(session);
                            owners.begins(session);
                            settle();
                            return session;
                        },
                        context.loop());
    }

    private static Set<Role> roles(List<io.forebay.formats.metadata.Role> sent) {
        EnumSet<Role> roles = EnumSet.noneOf(Role.class);
        for (Role role : Role.values()) {
            if (sent.isEmpty() || sent.contains(role.encoded())) {
                roles.add(role);
            }
        }
        return roles;
    }

    // ------------------------------------------------------------------ attending

    private CompletableFuture<ControlReply> attend(Attend report, Asker asker) {
        SessionImage session = image().session(report.getSession());
        if (session == null) {
            CompletableFuture<ControlReply> over = new CompletableFuture<>();
            tell(new Waiting(report.getSession(), report.getVersion(), now(), over));
            return over;
        }
        Attendance member = members.of(report.getSession());
        boolean drains = member.draining();
        boolean served = members.couldServe(member);
        member.heard(now(), report);
        if (member.asksOver(asker)) {
            asker.whenGone(() -> context.loop().run(() -> member.hungUp(asker, now())));
        }
        owners.heard(report);
        if (report.getLeaving()) {
            LOG.info("session {} of node {} leaves", session.session(), session.nodeId());
            return answered(
                    end(session.session()),
                    done -> reply(Standing.LEADS)
                            .setAttended(Attended.newBuilder().setEnded(true)));
        }
        owners.heardReleased(report.getSession(), member);
        if (drains != member.draining()) {
            LOG.info("session {} of node {} is about to stop", session.session(), session.nodeId());
        }
        if (drains != member.draining() || served != members.couldServe(member)) {
            settle();
        }
        CompletableFuture<ControlReply> reply = new CompletableFuture<>();
        Waiting one =
                new Waiting(report.getSession(), report.getVersion(), now() + config.attendMs() * 1_000_000, reply);
        if (report.getWait() && !hasNews(one)) {
            waiting.add(one);
        } else {
            tell(one);
        }
        return reply;
    }

    private boolean hasNews(Waiting one) {
        Attendance member = members.find(one.session());
        return recent.hasNews(one.version())
                || owners.toRelease(one.session()).stream()
                        .anyMatch(move ->
                                member == null || !member.wasTold(move.shard().value(), move.epoch()));
    }

    private void tell(Waiting one) {
        Attended.Builder answer = Attended.newBuilder().setEnded(!image().isLive(one.session()));
        recent.addNews(answer, one.version());
        Attendance member = members.find(one.session());
        for (Moves.Move move : owners.toRelease(one.session())) {
            answer.addRelease(
                    ShardEpoch.newBuilder().setShard(move.shard().value()).setEpoch(move.epoch()));
            if (member != null) {
                member.tell(move.shard().value(), move.epoch());
            }
        }
        one.reply().complete(reply(Standing.LEADS).setAttended(answer).build());
    }

    private void tellWhoHasNews() {
        List<Waiting> told = waiting.stream().filter(this::hasNews).toList();
        waiting.removeAll(told);
        told.forEach(this::tell);
    }

    private void durable(MetadataImage newer, MetadataBatch batch) {
        provenNanos = now();
        recent.add(newer, batch);
        members.follow(newer);
        owners.follow(newer);
        tellWhoHasNews();
    }

    // ------------------------------------------------------------------ the end of sessions

    private void tick() {
        if (over) {
            return;
        }
        long now = now();
        if (now - tickNanos > config.sessionTimeoutNanos() / 2) {
            LOG.warn(
                    "the controller stood still for {} ms: everybody gets a whole session time-out",
                    (now - tickNanos) / 1_000_000);
            members.excuse();
            provenNanos = now;
        }
        tickNanos = now;
        for (Map.Entry<Long, Attendance> member : members.all().entrySet()) {
            if (member.getValue().isDead(now, config.sessionTimeoutNanos())) {
                long silent = member.getValue().silentNanos(now) / 1_000_000;
                var unused = end(member.getKey(), "nothing was heard of it for " + silent + " ms");
            }
        }
        if (!owners.isAlone()) {
            lookForLostStores(now);
        }
        if (over) {
            return;
        }
        List<Waiting> due =
                waiting.stream().filter(one -> now - one.untilNanos() >= 0).toList();
        waiting.removeAll(due);
        due.forEach(this::tell);
        owners.lookAgain(ending.isEmpty());
        var unused = context.loop().schedule(this::tick, Math.max(1, config.attendMs() / 2));
    }

    /** Who has no store while others have it is of no use, this controller included. */
    private void lookForLostStores(long now) {
        members.lookForStores();
        for (Map.Entry<Long, Attendance> member : members.all().entrySet()) {
            SessionImage session = image().session(member.getKey());
            long unproven = member.getValue().unprovenNanos(now);
            if (session != null && session.lanes() > 0 && members.store().isLost(unproven, now)) {
                var unused = end(
                        member.getKey(), "it has lost the store for " + unproven / 1_000_000 + " ms, others have not");
            }
        }
        if (!proving && now - provenNanos > config.sessionTimeoutNanos() / 3) {
            proving = true;
            When.doneOn(context.loop(), root.prove(), (done, failure) -> {
                proving = false;
                if (failure == null) {
                    provenNanos = now;
                }
            });
        }
        if (members.store().isLost(now - provenNanos, now) && couldLead(now)) {
            resign.accept("it has lost the store for " + (now - provenNanos) / 1_000_000 + " ms, others have not");
        }
    }

    /** Whether another node could claim the next term. */
    private boolean couldLead(long now) {
        return image().sessions().stream()
                .filter(session -> session.roles().contains(Role.CONTROLLER) && session.nodeId() != context.nodeId())
                .map(session -> members.find(session.session()))
                .anyMatch(member -> member != null && member.silentNanos(now) < config.sessionTimeoutNanos());
    }

    private CompletableFuture<Void> end(long session, String why) {
        SessionImage known = root.decided().session(session);
        if (known != null && !ending.containsKey(session)) {
            LOG.warn("session {} of node {} ends: {}", session, known.nodeId(), why);
        }
        return end(session);
    }

    /** Fences a session, records that, and gives its shards to the living. Once at a time. */
    private CompletableFuture<Void> end(long session) {
        CompletableFuture<Void> running = ending.get(session);
        SessionImage known = root.decided().session(session);
        if (running != null || known == null) {
            return running != null ? running : CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> ended = fence(known)
                .thenComposeAsync(
                        done -> root.submit(new EndSession(List.of(session), members.unwilling())), context.loop())
                .thenAccept(shards -> LOG.info("session {} is fenced, {} shards have other owners", session, shards));
        ending.put(session, ended);
        When.doneOn(context.loop(), ended, (done, failure) -> ending.remove(session));
        return ended;
    }

    /** A controller that stood still may have been followed by another one: it must not fence those who live on under that one, so it looks first. */
    private CompletableFuture<Void> fence(SessionImage session) {
        if (session.lanes() == 0) {
            return CompletableFuture.completedFuture(null);
        }
        String prefix = JournalPath.ofSession(session.session(), 0).prefix();
        return Retry.on(
                        context.loop(),
                        () -> root.prove()
                                .thenComposeAsync(
                                        mine -> fence.fence(prefix, session.session(), session.lanes()),
                                        context.loop()),
                        (cause, failures) -> {
                            if (over || cause instanceof JournalEndedException) {
                                return Retry.GIVE_UP;
                            }
                            LOG.warn(
                                    "session {} cannot be fenced, trying again: {}",
                                    session.session(),
                                    cause.toString());
                            return Retry.doubling(failures, FIRST_PAUSE_MS, LAST_PAUSE_MS);
                        })
                .thenApply(fenced -> null);
    }

    private void settle() {
        owners.settle(ending.isEmpty());
    }

    // ------------------------------------------------------------------ commands

    private CompletableFuture<ControlReply> submit(ClusterCommand command) {
        return switch (command.getKindCase()) {
            case MOVE_SHARD ->
                steered(CompletableFuture.completedFuture(owners.move(
                        new ShardId(command.getMoveShard().getShard()),
                        command.getMoveShard().getToNode())));
            case DRAIN_NODE ->
                steered(drain(
                        command.getDrainNode().getNodeId(),
                        command.getDrainNode().getDrain()));
            case BALANCE -> evenOut();
            default ->
                CommandReading.read(command)
                        .map(this::submit)
                        .orElseGet(() -> refused("a command that this version does not know: update this node"));
        };
    }

    private <T> CompletableFuture<ControlReply> submit(NodeCommand<T> command) {
        return answered(root.submit(command), answer -> submitted(command.encodedReply(answer)));
    }

    private CompletableFuture<ControlReply> steered(CompletableFuture<String> problem) {
        return answered(problem, wrong -> {
            settle();
            return submitted(CommandReply.newBuilder().setSteered(wrong).build());
        });
    }

    private CompletableFuture<String> drain(int nodeId, boolean drain) {
        return root.submit(new DrainNode(nodeId, drain))
                .thenApplyAsync(
                        problem -> {
                            if (!drain) {
                                owners.undrained(nodeId);
                            }
                            return problem;
                        },
                        context.loop());
    }

    private CompletableFuture<ControlReply> evenOut() {
        int moving = owners.evenOut();
        settle();
        return CompletableFuture.completedFuture(
                submitted(CommandReply.newBuilder().setBalanced(moving).build()).build());
    }

    private ControlReply.Builder submitted(CommandReply answer) {
        return reply(Standing.LEADS)
                .setSubmitted(Submitted.newBuilder().setReply(answer).setVersion(image().version()));
    }
}
