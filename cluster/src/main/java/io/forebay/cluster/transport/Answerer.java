package io.forebay.cluster.transport;

import io.forebay.cluster.control.Asker;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.forebay.model.When;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes questions off the network, has them answered, sends the answers. Owned by the transport loop. */
final class Answerer implements ServerCallHandler<ControlRequest, ControlReply> {

    private static final Logger LOG = LoggerFactory.getLogger(Answerer.class);

    /** Questions that wait for an answer; further ones are turned away at once. */
    static final int MAX_WAITING = 1_024;

    private final EventLoop loop;
    private final BiFunction<ControlRequest, Asker, CompletableFuture<ControlReply>> handler;
    private int waiting;

    Answerer(EventLoop loop, BiFunction<ControlRequest, Asker, CompletableFuture<ControlReply>> handler) {
        this.loop = loop;
        this.handler = handler;
    }

    @Override
    public ServerCall.Listener<ControlRequest> startCall(
            ServerCall<ControlRequest, ControlReply> call, Metadata headers) {
        call.request(2); // a second message would be an error, and is only seen if asked for
        return new ServerCall.Listener<>() {
            private Optional<ControlRequest> question = Optional.empty();

            @Override
            public void onMessage(ControlRequest message) {
                question = Optional.of(message);
            }

            @Override
            public void onHalfClose() {
                if (question.isPresent()) {
                    answer(call, question.get());
                } else {
                    refuse(call, Status.INTERNAL.withDescription("a call without a question"));
                }
            }
        };
    }

    private void answer(ServerCall<ControlRequest, ControlReply> call, ControlRequest question) {
        if (waiting >= MAX_WAITING) {
            refuse(call, Status.RESOURCE_EXHAUSTED.withDescription(MAX_WAITING + " questions wait here already"));
            return;
        }
        waiting++;
        // Answers are written, and large ones made into bytes, on this loop and not on the handler's.
        When.doneOn(loop, handled(question, Askers.of(call)), (reply, failure) -> {
            waiting--;
            answered(call, reply, failure);
        });
    }

    private CompletableFuture<ControlReply> handled(ControlRequest question, Asker asker) {
        try {
            return handler.apply(question, asker);
        } catch (RuntimeException bug) {
            LOG.error("a question of another node could not be understood", bug);
            return CompletableFuture.failedFuture(bug);
        }
    }

    private static void answered(
            ServerCall<ControlRequest, ControlReply> call, @Nullable ControlReply reply, @Nullable Throwable failure) {
        if (failure != null || reply == null) {
            LOG.warn("a question of another node could not be answered: {}", String.valueOf(failure));
            refuse(call, Status.INTERNAL.withDescription("it failed to answer; its log says why"));
        } else if (reply.getSerializedSize() > ControlMethod.MESSAGE_MAX_BYTES) {
            LOG.error("an answer of {} bytes is too long to be sent", reply.getSerializedSize());
            refuse(call, Status.INTERNAL.withDescription("its answer would be longer than what may be sent"));
        } else if (!call.isCancelled()) {
            call.sendHeaders(new Metadata());
            call.sendMessage(reply);
            call.close(Status.OK, new Metadata());
        }
    }

    private static void refuse(ServerCall<ControlRequest, ControlReply> call, Status status) {
        if (!call.isCancelled()) {
            call.close(status, new Metadata());
        }
    }
}
