package io.forebay.kafka.net;

import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.api.ClientConnection;
import io.forebay.kafka.api.RequestContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection: frames become requests, answers leave in the order of the requests.
 *
 * <p>Requests start in the order of their arrival. Those of a pipelined API (Produce) may overlap with each other; any other starts when
 * all before it are answered, and what is behind it waits for its answer, as with Kafka's own server. Nothing further starts, and
 * at last nothing is read, while the client does not take its answers, while too many requests are under way, or while admission
 * has no bytes for the next frame.
 *
 * <p>Owned by the connection's event loop.
 */
public final class Connection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private final ConnectionConfig config;
    private final ApiTable apis;
    private final Admission admission;
    private final LoopConnections siblings;
    private final ClientConnection client;
    private final Channel channel;
    private final EventLoop eventLoop;
    private final FrameReader reader;
    private final ArrayDeque<Request> requests = new ArrayDeque<>();
    private final RequestTimer timer;
    private final Outbox outbox;
    private final Runnable flushTask = this::flushNow;
    private Admission.@Nullable Place place;
    private long admittedBytes;
    private boolean pumping;
    private boolean flushPlanned;
    private boolean inputEnded;
    private boolean closed;
    private int lastActiveTick;
    private final FramePace pace = new FramePace();

    Connection(
            ConnectionConfig config,
            ApiTable apis,
            Admission admission,
            LoopConnections siblings,
            ClientConnection client,
            Channel channel) {
        this.config = config;
        this.apis = apis;
        this.admission = admission;
        this.siblings = siblings;
        this.client = client;
        this.channel = channel;
        this.eventLoop = channel.eventLoop();
        this.outbox = new Outbox(channel);
        this.reader = new FrameReader(config.requestMaxBytes());
        this.timer = new RequestTimer(siblings.loop(), siblings.clock(), requests);
        client.droppedBy(reason -> {
            LOG.info("Closing connection {}: {}.", name(), reason);
            close();
        });
    }

    FrameReader reader() {
        return reader;
    }

    boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    void execute(Runnable task) {
        eventLoop.execute(task);
    }

    /** Names the connection in log lines. */
    String name() {
        return client.id();
    }

    RequestTimer timer() {
        return timer;
    }

    /** Gives back what a request was admitted with. Any thread. */
    void releaseAdmitted(long bytes) {
        admission.release(bytes);
    }

    int lastActiveTick() {
        return lastActiveTick;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        lastActiveTick = siblings.now();
        siblings.add(this);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        lastActiveTick = siblings.now();
        ByteBuf bytes = (ByteBuf) message;
        pace.reached(bytes.readableBytes(), lastActiveTick);
        reader.received(bytes);
        pump();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (channel.isWritable() && outbox.isEmpty()) {
            pump();
        } else if (channel.isWritable()) {
            eventLoop.execute(this::sendMore);
        }
    }

    /** Sends the next portion of what did not fit before. */
    private void sendMore() {
        if (closed) {
            return;
        }
        outbox.handOver();
        planFlush();
        if (outbox.isEmpty()) {
            pump();
        }
    }

    /** Starts what can be started of what has been read, and decides whether to read on. */
    private void pump() {
        if (pumping || closed) {
            return; // an answer that came while its request was being started: the loop below goes on
        }
        pumping = true;
        try {
            boolean moved = true;
            while (moved && !closed) {
                moved = advance();
            }
        } finally {
            pumping = false;
        }
        if (!closed) {
            boolean read = place == null && reader.hasRoom();
            if (channel.config().isAutoRead() != read) {
                readOn(read);
            }
            if (inputEnded) {
                closeAfterAnswers();
            }
        }
    }

    /**
     * Begins or ends to read the socket. A client that has sent all it had, and gone from the poll while nothing was read, cannot be polled
     * again: what it had sent by then is answered.
     */
    private void readOn(boolean read) {
        try {
            channel.config().setAutoRead(read);
        } catch (UncheckedIOException gone) {
            LOG.debug("Connection {} reads no more: {}.", name(), gone.getMessage());
            inputEnded = true;
        }
    }

    /** One step; false if there is nothing to do before something else happens. */
    private boolean advance() {
        switch (reader.step()) {
            case NEEDS_BYTES -> {
                return false;
            }
            case BROKEN -> {
                LOG.info(
                        "Closing connection {}: a frame claims {} bytes, the limit is {}.",
                        name(),
                        reader.length(),
                        config.requestMaxBytes());
                close();
                return false;
            }
            case NEEDS_ADMISSION -> {
                if (!isAdmitted(reader.length())) {
                    return false;
                }
                reader.admit(channel.alloc());
                return true;
            }
            case READY -> {
                return startNext();
            }
        }
        return false;
    }

    private boolean isAdmitted(long bytes) {
        if (admittedBytes > 0) {
            return true;
        }
        if (place != null) {
            return false;
        }
        if (admission.tryTake(bytes)) {
            admitted(bytes);
            return true;
        }
        place = admission.await(bytes, () -> execute(() -> granted(bytes)));
        return false;
    }

    private void granted(long bytes) {
        place = null;
        if (closed) {
            admission.release(bytes);
            return;
        }
        admitted(bytes);
        pump();
    }

    private void admitted(long bytes) {
        admittedBytes = bytes;
        pace.begins(bytes, siblings.now());
    }

    private boolean startNext() {
        if (!channel.isWritable() || !outbox.isEmpty() || requests.size() >= config.pipelinedRequestsMax()) {
            return false;
        }
        int key = reader.apiKey();
        ApiHandler<?> handler = apis.find(key);
        if (handler == null) {
            LOG.info("Closing connection {}: it asks for API {}, which is not served.", name(), key);
            close();
            return false;
        }
        if (!mayStart(handler)) {
            return false;
        }
        // Records stay in the frame until they are acknowledged: such frames count from the first byte on.
        if (handler.isPipelined() && !isAdmitted(reader.length())) {
            return false;
        }
        long admitted = admittedBytes;
        admittedBytes = 0;
        ByteBuf frame = reader.take();
        try {
            start(frame, handler, admitted);
        } finally {
            boolean unused = frame.release();
        }
        return true;
    }

    private boolean mayStart(ApiHandler<?> handler) {
        Request last = requests.peekLast();
        // Once a request that isn't pipelined is under way it is alone: looking at the last one is enough.
        return last == null || (handler.isPipelined() && last.handler().isPipelined());
    }

    private void start(ByteBuf frame, ApiHandler<?> handler, long admitted) {
        ByteBuffer bytes = frame.nioBuffer();
        RequestHeaderData header;
        ApiKeys api = handler.api();
        try {
            short version = bytes.getShort(2);
            header = new RequestHeaderData(new ByteBufferAccessor(bytes), api.requestHeaderVersion(version));
        } catch (RuntimeException malformed) {
            refuse(admitted, "the header of a " + api + " request cannot be read");
            return;
        }
        short version = header.requestApiVersion();
        String clientId = header.clientId() == null ? "" : header.clientId();
        RequestContext context = new RequestContext(api, version, header.correlationId(), clientId, client);
        Request request = new Request(this, context, handler, frame, admitted);
        if (version < handler.lowestVersion() || version > handler.highestVersion()) {
            unsupported(request);
            return;
        }
        requests.add(request);
        call(handler, request, bytes);
    }

    private <Q extends ApiMessage> void call(ApiHandler<Q> handler, Request request, ByteBuffer bytes) {
        RequestContext context = request.context();
        Q body;
        try {
            body = handler.read(new ByteBufferAccessor(bytes), context.version());
        } catch (RuntimeException malformed) {
            request.close("a " + context.api() + " request of version " + context.version() + " cannot be read");
            return;
        }
        request.parsed(body);
        try {
            handler.handle(body, request);
        } catch (RuntimeException failure) {
            request.fail(failure);
        }
    }

    private void unsupported(Request request) {
        RequestContext context = request.context();
        if (context.api() != ApiKeys.API_VERSIONS) {
            refuse(request.admittedBytes(), context.api() + " version " + context.version() + " is not served");
            return;
        }
        // The one API that a client asks without knowing what is served: it is told, in the version that every client
        // reads.
        ApiVersionsResponseData told = new ApiVersionsResponseData().setErrorCode(Errors.UNSUPPORTED_VERSION.code());
        told.apiKeys().add(ApiTable.range(request.handler()));
        RequestContext oldest = new RequestContext(
                context.api(), (short) 0, context.correlationId(), context.clientId(), context.connection());
        Request answerable =
                new Request(this, oldest, request.handler(), Unpooled.EMPTY_BUFFER, request.admittedBytes());
        requests.add(answerable);
        answerable.parsed(new ApiVersionsRequestData());
        answerable.answer(told);
    }

    private void refuse(long admitted, String reason) {
        LOG.info("Closing connection {}: {}.", name(), reason);
        if (admitted > 0) {
            admission.release(admitted);
        }
        close();
    }

    /** A request was answered: sends what is next in order. */
    void completed() {
        boolean sent = false;
        Request head = requests.peekFirst();
        while (head != null && head.state() != Request.State.WAITING && !closed) {
            Request unused = requests.pollFirst();
            if (head.state() == Request.State.REFUSED) {
                finish(head);
                flushAndClose();
                return;
            }
            send(head);
            sent = true;
            head = requests.peekFirst();
        }
        if (sent && !closed) {
            planFlush();
            pump();
        }
    }

    private void send(Request request) {
        lastActiveTick = siblings.now();
        ApiMessage response = request.response();
        if (response == null) {
            finish(request);
            return;
        }
        RequestContext context = request.context();
        List<ReferenceCounted> parts;
        try {
            parts = AnswerWriter.encode(
                    channel.alloc(), context.api(), context.version(), context.correlationId(), response);
        } catch (RuntimeException failure) {
            LOG.error("An answer to {} version {} cannot be written.", context.api(), context.version(), failure);
            finish(request);
            flushAndClose();
            return;
        }
        Runnable whenGone = request.takeWhenGone();
        int end = parts.size() - 1;
        for (int i = 0; i < end; i++) {
            outbox.write(parts.get(i), promise(parts.get(i)));
        }
        ChannelPromise last = promise(parts.get(end));
        if (whenGone != null) {
            last = last.isVoid() ? channel.newPromise() : last;
            last = last.addListener(done -> whenGone.run());
        }
        outbox.write(parts.get(end), last);
        request.over();
    }

    private ChannelPromise promise(ReferenceCounted part) {
        return part instanceof FilePiece piece
                ? channel.newPromise().addListener(sent -> {
                    if (!sent.isSuccess()) {
                        notSent(piece, sent.cause());
                    }
                })
                : channel.voidPromise();
    }

    private void notSent(FilePiece piece, Throwable cause) {
        siblings.unsent()
                .failed(piece, cause)
                .ifPresent(untold -> LOG.warn(
                        "Closing connection {}: {} bytes at position {} of object {} cannot be sent: {}{}",
                        name(),
                        piece.count(),
                        piece.position(),
                        piece.object(),
                        cause.getMessage(),
                        untold == 0 ? "" : " (" + untold + " more times since this was last said)"));
    }

    // No answer leaves for this request, or none any more.
    private void finish(Request request) {
        request.abandon();
        request.over();
    }

    private void planFlush() {
        if (flushPlanned) {
            return;
        }
        flushPlanned = true;
        if (eventLoop instanceof SingleThreadEventLoop loop) {
            loop.executeAfterEventLoopIteration(flushTask);
        } else {
            eventLoop.execute(flushTask);
        }
    }

    private void flushNow() {
        if (flushPlanned) {
            flushPlanned = false;
            Channel unused = channel.flush();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            pump();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    // The client sends no more. It may still read; what waits for nothing but the client's interest is given up.
    private void closeAfterAnswers() {
        Request head = requests.peekFirst();
        if (head == null && reader.step() != FrameReader.Step.READY) {
            flushAndClose();
        } else if (head != null && head.isCancellable()) {
            close();
        }
    }

    private void flushAndClose() {
        flushPlanned = false;
        outbox.handOverAll();
        var unused = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> close());
    }

    void closeIdle() {
        LOG.debug("Closing connection {}: idle for more than {} ms.", name(), config.maxIdleMs());
        close();
    }

    /** Whether it has bytes admitted for a request that is not whole yet, while others wait for admission. */
    /** Ticks since enough of the request that is coming in has come. */
    int slowTicks() {
        return pace.slowTicks(siblings.now());
    }

    boolean holdsWhatOthersWaitFor() {
        return admittedBytes > 0 && reader.step() == FrameReader.Step.NEEDS_BYTES && admission.isAwaited();
    }

    void closeStalled() {
        LOG.info(
                "Closing connection {}: a request of {} bytes comes in too slowly, and others wait.",
                name(),
                admittedBytes);
        close();
    }

    /** Closes the connection at once. */
    void close() {
        var unused = channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closed = true;
        siblings.remove(this);
        timer.stop();
        if (place != null) {
            // If the bytes were granted already, the task that says so gives them back.
            boolean unused = admission.leave(place);
            place = null;
        }
        if (admittedBytes > 0) {
            admission.release(admittedBytes);
            admittedBytes = 0;
        }
        Request request = requests.pollFirst();
        while (request != null) {
            finish(request);
            request = requests.pollFirst();
        }
        outbox.handOverAll();
        reader.close();
        client.closed();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException || cause instanceof UncheckedIOException) {
            LOG.debug("Closing connection {}: {}.", name(), cause.getMessage());
        } else {
            LOG.error("Closing connection {} after a failure.", name(), cause);
        }
        close();
    }
}
