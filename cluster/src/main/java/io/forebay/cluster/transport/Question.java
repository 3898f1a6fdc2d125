package io.forebay.cluster.transport;

import io.forebay.cluster.control.UnansweredException;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One question on its way.
 *
 * <p>Whether it may have arrived is known from the stream: none is made before the other side has spoken HTTP/2, and nothing of the
 * question leaves before there is one.
 */
final class Question {

    private final String address;
    private final ControlRequest request;
    private final long timeoutMs;
    private final CompletableFuture<ControlReply> answer;
    private volatile boolean sent;
    private Optional<ControlReply> reply = Optional.empty();

    Question(String address, ControlRequest request, long timeoutMs, CompletableFuture<ControlReply> answer) {
        this.address = address;
        this.request = request;
        this.timeoutMs = timeoutMs;
        this.answer = answer;
    }

    CompletableFuture<ControlReply> answer() {
        return answer;
    }

    /**
     * Sends it.
     *
     * @param badConnection run before the answer fails if the next question had better use another connection
     */
    void ask(Channel channel, Runnable badConnection) {
        ClientCall<ControlRequest, ControlReply> call = channel.newCall(
                ControlMethod.ASK,
                CallOptions.DEFAULT
                        .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
                        .withStreamTracerFactory(new ClientStreamTracer.Factory() {
                            @Override
                            public ClientStreamTracer newClientStreamTracer(
                                    ClientStreamTracer.StreamInfo stream, Metadata headers) {
                                return new Tracer();
                            }
                        }));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(ControlReply message) {
                        reply = Optional.of(message);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        closed(status, badConnection);
                    }
                },
                new Metadata());
        call.sendMessage(request);
        call.halfClose();
        call.request(2); // a second message would be an error, and is only seen if asked for
    }

    void unsent(String why) {
        answer.completeExceptionally(new UnansweredException(why, false));
    }

    private final class Tracer extends ClientStreamTracer {
        @Override
        public void streamCreated(Attributes transport, Metadata headers) {
            sent = true;
        }
    }

    private void closed(Status status, Runnable badConnection) {
        if (status.isOk() && reply.isPresent()) {
            answer.complete(reply.get());
            return;
        }
        // A peer that is too busy is there; after anything else a new connection is the better one.
        if (status.getCode() != Status.Code.RESOURCE_EXHAUSTED) {
            badConnection.run();
        }
        answer.completeExceptionally(new UnansweredException(reason(status), sent));
    }

    private String reason(Status status) {
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return sent
                    ? "no answer from " + address + " within " + timeoutMs + " ms"
                    : "no connection to " + address + " within " + timeoutMs + " ms";
        }
        Throwable cause = status.getCause();
        String why = cause == null || cause.getMessage() == null ? status.getDescription() : cause.getMessage();
        return (sent ? "no answer from " : "no connection to ") + address + ": "
                + (why == null ? status.getCode() : why);
    }
}
