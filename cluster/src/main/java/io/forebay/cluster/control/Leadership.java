package io.forebay.cluster.control;

import io.forebay.cluster.root.Root;
import io.forebay.cluster.root.RootContext;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.formats.control.Standing;
import io.forebay.log.journal.JournalEndedException;
import io.forebay.log.journal.Maker;
import io.forebay.model.Retry;
import io.forebay.model.When;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller's life on this node: idle → claiming → leading → idle … and the answers to whoever asks.
 *
 * <p>Owned by the control loop. Who claims, and when, is {@link io.forebay.cluster.member.Member}'s to say: safety does not depend on it.
 */
public final class Leadership {

    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private static final Maker NOBODY = new Maker(0, 0);

    private static final long NO_TERM = -1;

    private final RootContext context;
    private final ControlConfig config;
    private Optional<Leading> leading = Optional.empty();
    private long claimedTerm = NO_TERM;
    private boolean claiming;
    private boolean closed;
    private long knownTerm = NO_TERM;
    private String knownLeader = "";

    /** A term that this node leads. */
    private record Leading(Root root, Controller controller) {}

    public Leadership(RootContext context, ControlConfig config) {
        this.context = context;
        this.config = config;
    }

    /** What is known of the controller, for those who ask the wrong node. */
    public void known(long term, String leader) {
        knownTerm = Math.max(knownTerm, term);
        knownLeader = leader;
    }

    /** Whether this node is on its way to lead. */
    public boolean isClaiming() {
        return claiming;
    }

    /** Whether this node leads a term. */
    public boolean leads() {
        return leading.isPresent();
    }

    /** Whether this node leads the term. */
    public boolean leads(long term) {
        return leading.isPresent() && leading.get().root().term() == term;
    }

    /**
     * Claims a term and leads it. Completes on the control loop; fails with {@link io.forebay.cluster.root.TermTakenException}, or with what the store or the root's
     * journal says. One at a time.
     *
     * @param silent process that claimed the term before, if it did not answer for a whole session time-out
     */
    public CompletableFuture<Void> claim(long term, Optional<Maker> silent) {
        if (claiming || leading.isPresent() || closed) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException(closed ? "the node stops" : "this node claims or leads already"));
        }
        claiming = true;
        claimedTerm = term;
        return Root.claim(context, term)
                .whenCompleteAsync((root, failure) -> claiming = false, context.loop())
                .thenAcceptAsync(root -> lead(root, silent.orElse(NOBODY)), context.loop());
    }

    private void lead(Root root, Maker silent) {
        if (closed || root.ended().isDone()) {
            var unused = root.close();
            throw new IllegalStateException("the term was over before it began");
        }
        Controller controller = new Controller(root, context, config, why -> resign(root, why));
        leading = Optional.of(new Leading(root, controller));
        When.doneOn(context.loop(), root.ended(), (cause, none) -> ended(root, cause));
        controller.start(silent);
    }

    private void ended(Root root, JournalEndedException cause) {
        leading.filter(one -> one.root() == root).ifPresent(one -> {
            if (!closed) {
                LOG.warn("this node leads no more, term {} is over: {}", root.term(), cause.getMessage());
            }
            leading = Optional.empty();
            one.controller().end();
        });
    }

    /** Somebody else leads, or should. */
    private void resign(Root root, String why) {
        leading.filter(one -> one.root() == root).ifPresent(one -> {
            LOG.warn("this node leads term {} no more: {}", root.term(), why);
            leading = Optional.empty();
            one.controller().end();
            var unused = root.close();
        });
    }

    /** Answers a question. Any thread. */
    public CompletableFuture<ControlReply> answer(ControlRequest request, Asker asker) {
        CompletableFuture<ControlReply> reply = new CompletableFuture<>();
        context.loop().run(() -> {
            CompletableFuture<ControlReply> answer;
            try {
                answer = answerHere(request, asker);
            } catch (RuntimeException malformed) {
                answer = CompletableFuture.failedFuture(malformed);
            }
            When.done(answer, (value, failure) -> {
                if (failure == null) {
                    reply.complete(value);
                } else {
                    reply.completeExceptionally(Retry.unwrap(failure));
                }
            });
        });
        return reply;
    }

    private CompletableFuture<ControlReply> answerHere(ControlRequest request, Asker asker) {
        if (!request.getLeader().isEmpty() && !request.getLeader().equals(MakerBytes.of(context.maker()))) {
            // Another process had this address when it claimed that term, maybe in another cluster: neither its term
            // nor ours
            // says anything to the other.
            return CompletableFuture.completedFuture(ControlReply.newBuilder()
                    .setStanding(Standing.NOT_LEADING)
                    .setTerm(NO_TERM)
                    .build());
        }
        if (leading.isPresent()) {
            Leading mine = leading.get();
            if (request.getTerm() <= mine.root().term()) {
                return mine.controller().answer(request, asker);
            }
            // Somebody has claimed since: this term is fenced, or will be.
            knownTerm = Math.max(knownTerm, request.getTerm());
            resign(mine.root(), "term " + request.getTerm() + " was claimed after it");
        }
        return CompletableFuture.completedFuture(ControlReply.newBuilder()
                .setStanding(claiming ? Standing.NOT_YET : Standing.NOT_LEADING)
                .setTerm(claiming ? claimedTerm : knownTerm)
                .setLeader(knownLeader)
                .build());
    }

    /** Ends the term in good order, if this node leads. */
    public CompletableFuture<Void> close() {
        closed = true;
        return leading.map(one -> one.root().close()).orElse(CompletableFuture.completedFuture(null));
    }
}
