package io.forebay.cluster.member;

import io.forebay.cluster.command.NodeCommand;
import io.forebay.cluster.control.UnansweredException;
import io.forebay.cluster.image.MetadataImage;
import io.forebay.formats.control.ClusterCommand;
import io.forebay.formats.control.ControlReply;
import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.model.Retry;
import io.forebay.model.When;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Commands on their way to the controller. One that certainly was not done is sent again, to whoever leads then; one that may have been done is not. Owned by the control
 * loop.
 */
final class Submissions {

    private static final long PAUSE_MS = 20;

    private final Loop loop;
    private final Clock clock;
    private final Way way;
    private final List<Waiter> waiters = new ArrayList<>();
    private MetadataImage image = MetadataImage.EMPTY;

    /** The way to the controller. Called on the control loop. */
    interface Way {
        /** Whether a controller is known at the moment. */
        boolean isOpen();

        /** Whether this node is done for good. */
        boolean isClosed();

        /** Sends a command to the controller that is known. */
        CompletableFuture<ControlReply> submit(ClusterCommand command, long timeoutMs);
    }

    /** Somebody who waits until the image shows something. */
    private record Waiter(long version, Runnable then) {}

    Submissions(Loop loop, Clock clock, Way way) {
        this.loop = loop;
        this.clock = clock;
        this.way = way;
    }

    /** Follows a newer image. */
    void follow(MetadataImage newer) {
        image = newer;
        List<Waiter> shown = waiters.stream()
                .filter(waiter -> waiter.version() <= newer.version())
                .toList();
        waiters.removeAll(shown);
        shown.forEach(waiter -> waiter.then().run());
    }

    /** See {@link Member#submit}. */
    <T> CompletableFuture<T> submit(NodeCommand<T> command, long timeoutMs) {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.run(() -> submit(command, clock.nanos() + timeoutMs * 1_000_000, result));
        return result;
    }

    private <T> void submit(NodeCommand<T> command, long deadlineNanos, CompletableFuture<T> result) {
        long leftMs = (deadlineNanos - clock.nanos()) / 1_000_000;
        if (way.isClosed() || leftMs <= 0) {
            result.completeExceptionally(new SubmitException("there is no controller at the moment: try again", false));
        } else if (way.isOpen()) {
            When.doneOn(loop, way.submit(command.encoded(), leftMs), (reply, failure) -> {
                if (failure == null) {
                    answered(command, deadlineNanos, result, reply);
                } else {
                    failed(command, deadlineNanos, result, Retry.unwrap(failure));
                }
            });
        } else {
            submitLater(command, deadlineNanos, result);
        }
    }

    private <T> void answered(
            NodeCommand<T> command, long deadlineNanos, CompletableFuture<T> result, ControlReply reply) {
        switch (reply.getStanding()) {
            case LEADS ->
                whenShown(
                        reply.getSubmitted().getVersion(),
                        () -> result.complete(
                                command.decodedReply(reply.getSubmitted().getReply())));
            case REFUSED -> result.completeExceptionally(new SubmitException(reply.getMessage(), false));
            default -> submitLater(command, deadlineNanos, result);
        }
    }

    private <T> void failed(NodeCommand<T> command, long deadlineNanos, CompletableFuture<T> result, Throwable cause) {
        if (cause instanceof UnansweredException unanswered && !unanswered.mayHaveArrived()) {
            submitLater(command, deadlineNanos, result);
        } else {
            result.completeExceptionally(new SubmitException(
                    "the controller did not answer, the change may come or not: " + cause.getMessage(), true));
        }
    }

    /** Nothing was done yet. */
    private <T> void submitLater(NodeCommand<T> command, long deadlineNanos, CompletableFuture<T> result) {
        var unused = loop.schedule(() -> submit(command, deadlineNanos, result), PAUSE_MS);
    }

    private void whenShown(long version, Runnable then) {
        if (image.version() >= version) {
            then.run();
        } else {
            waiters.add(new Waiter(version, then));
        }
    }
}
