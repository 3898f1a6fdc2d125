package io.forebay.kafka.net;

import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ErrorTable;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.FailedAnswer;
import io.forebay.kafka.api.RequestContext;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request under way on a connection.
 *
 * <p>States: WAITING → ANSWERED (with or without a message) or REFUSED (the connection is to be closed) → GONE (written or given up).
 * They change on the connection's loop only; the answering methods move there by themselves.
 */
final class Request implements Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(Request.class);

    enum State {
        WAITING,
        ANSWERED,
        REFUSED,
        GONE
    }

    private final Connection connection;
    private final RequestContext context;
    private final ApiHandler<?> handler;
    private final ByteBuf memory;
    private final long admittedBytes;
    /** The answer, and whoever was given the memory: the last one gives back what was admitted. */
    private final AtomicInteger users = new AtomicInteger(1);

    private @Nullable ApiMessage body;
    private State state = State.WAITING;
    private @Nullable ApiMessage response;
    private @Nullable Runnable whenGone;
    private @Nullable Runnable whenClientGone;
    private @Nullable Runnable whenTimeIsUp;
    private long deadlineNs;

    /**
     * @param memory the frame; the connection holds its use while the handler is called
     * @param admittedBytes given back to admission when the request is over and nobody uses its memory any more
     */
    Request(Connection connection, RequestContext context, ApiHandler<?> handler, ByteBuf memory, long admittedBytes) {
        this.connection = connection;
        this.context = context;
        this.handler = handler;
        this.memory = memory;
        this.admittedBytes = admittedBytes;
    }

    @Override
    public RequestContext context() {
        return context;
    }

    ApiHandler<?> handler() {
        return handler;
    }

    long admittedBytes() {
        return admittedBytes;
    }

    State state() {
        return state;
    }

    /** The answer's message; null if there is none. Meaningful when answered. */
    @Nullable
    ApiMessage response() {
        return response;
    }

    /** Remembers the parsed request for the answer to a failure. */
    void parsed(ApiMessage request) {
        body = request;
    }

    @Override
    public void answer(ApiMessage message) {
        complete(State.ANSWERED, message, null);
    }

    @Override
    public void answer(ApiMessage message, Runnable whenBytesGone) {
        complete(State.ANSWERED, message, whenBytesGone);
    }

    @Override
    public void answerNothing() {
        complete(State.ANSWERED, null, null);
    }

    @Override
    public void close(String reason) {
        if (connection.inLoop()) {
            LOG.info("Closing connection {}: {}.", connection.name(), reason);
            complete(State.REFUSED, null, null);
        } else {
            connection.execute(() -> close(reason));
        }
    }

    @Override
    public void fail(Throwable failure) {
        if (!connection.inLoop()) {
            connection.execute(() -> fail(failure));
            return;
        }
        Errors error = ErrorTable.of(failure);
        if (error == Errors.UNKNOWN_SERVER_ERROR) {
            LOG.error("{} v{} failed on connection {}.", context.api(), context.version(), connection.name(), failure);
        }
        ApiMessage message = null;
        try {
            ApiMessage request = body;
            message = request == null ? null : FailedAnswer.of(context.api(), context.version(), request, error);
        } catch (RuntimeException unanswerable) {
            LOG.warn("A {} request cannot even be answered with {}.", context.api(), error, unanswerable);
        }
        if (message == null) {
            close(context.api() + " failed with " + error);
        } else {
            answer(message);
        }
    }

    private void complete(State outcome, @Nullable ApiMessage message, @Nullable Runnable whenBytesGone) {
        if (connection.inLoop()) {
            completeOnLoop(outcome, message, whenBytesGone);
        } else {
            connection.execute(() -> completeOnLoop(outcome, message, whenBytesGone));
        }
    }

    private void completeOnLoop(State outcome, @Nullable ApiMessage message, @Nullable Runnable whenBytesGone) {
        if (state != State.WAITING) {
            // The connection has gone or was given up; somebody still has to let go of the bytes.
            if (whenBytesGone != null) {
                whenBytesGone.run();
            }
            return;
        }
        state = outcome;
        response = message;
        whenGone = whenBytesGone;
        whenClientGone = null;
        whenTimeIsUp = null;
        body = null;
        connection.completed();
    }

    /** What has to run when the answer's bytes have left or never will; at most once. */
    @Nullable
    Runnable takeWhenGone() {
        Runnable task = whenGone;
        whenGone = null;
        response = null;
        state = State.GONE;
        return task;
    }

    /** The connection is closed: whoever works on the request is told, and whatever the answer holds is let go. */
    void abandon() {
        State before = state;
        Runnable clientGone = whenClientGone;
        Runnable bytesGone = takeWhenGone();
        whenClientGone = null;
        whenTimeIsUp = null;
        body = null;
        if (before == State.WAITING && clientGone != null) {
            clientGone.run();
        }
        if (bytesGone != null) {
            bytesGone.run();
        }
    }

    @Override
    public void retainMemory(int uses) {
        if (uses > 0) {
            ByteBuf unused = memory.retain(uses);
            int unusedCount = users.addAndGet(uses);
        }
    }

    @Override
    public void releaseMemory() {
        boolean unused = memory.release();
        over();
    }

    /** One user less: the answer was written or never will be, or somebody let go of the memory. Any thread. */
    void over() {
        if (users.decrementAndGet() == 0 && admittedBytes > 0) {
            connection.releaseAdmitted(admittedBytes);
        }
    }

    @Override
    public void whenClientGone(Runnable task) {
        if (state == State.WAITING) {
            whenClientGone = task;
        }
    }

    @Override
    public void whenTimeIsUp(long limitMs, Runnable task) {
        if (state == State.WAITING) {
            whenTimeIsUp = task;
            deadlineNs = connection.timer().deadlineNs(limitMs);
        }
    }

    boolean hasDeadline() {
        return whenTimeIsUp != null;
    }

    /** In the nanoseconds of the loop's clock; meaningful if there is one. */
    long deadlineNs() {
        return deadlineNs;
    }

    /** The deadline has passed. */
    void timeIsUp() {
        Runnable task = whenTimeIsUp;
        whenTimeIsUp = null;
        if (task != null) {
            task.run();
        }
    }

    /** Whether the handler wants to know when the client goes: it waits for something that only the client needs. */
    boolean isCancellable() {
        return whenClientGone != null;
    }
}
