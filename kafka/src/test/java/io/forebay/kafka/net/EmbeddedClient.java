package io.forebay.kafka.net;

import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.api.ClientConnection;
import io.forebay.kafka.fake.Frames;
import io.forebay.kafka.fake.HandClock;
import io.forebay.model.Loop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/** A connection without a socket: bytes are put where the reader wants them, answers are what was flushed. */
public final class EmbeddedClient {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Connection connection;
    private final LoopConnections siblings;
    private final HandClock clock = new HandClock();
    private ByteBuffer received = ByteBuffer.allocate(0);

    public EmbeddedClient(ApiTable apis, Admission admission, ConnectionConfig config) {
        channel.config().setAllocator(new UnpooledByteBufAllocator(true, true));
        channel.config()
                .setWriteBufferWaterMark(new WriteBufferWaterMark(config.writeLowBytes(), config.writeHighBytes()));
        Loop loop = new NettyLoop(channel.eventLoop());
        siblings = new LoopConnections(loop, clock, config.maxIdleMs());
        ClientConnection client =
                new ClientConnection("embedded", InetAddress.getLoopbackAddress(), loop, KafkaPrincipal.ANONYMOUS);
        connection = new Connection(config, apis, admission, siblings, client, channel);
        channel.pipeline().addLast(connection);
        channel.pipeline().fireChannelActive();
        channel.freezeTime();
        siblings.start();
    }

    /** Lets time pass for the loop of this connection. */
    public void pass(long ms) {
        long step = 500;
        for (long passed = 0; passed < ms; passed += step) {
            clock.advance(step);
            channel.advanceTimeBy(step, TimeUnit.MILLISECONDS);
            long unused = channel.runScheduledPendingTasks();
            channel.runPendingTasks();
        }
    }

    public static EmbeddedClient of(ApiTable apis) {
        return new EmbeddedClient(apis, new Admission(1 << 20), ConnectionConfig.of(1 << 20, 60_000));
    }

    /** Bytes come in, as many at once as the reader has room for, as long as it reads. */
    public int receive(ByteBuffer bytes) {
        int before = bytes.remaining();
        while (bytes.hasRemaining() && channel.isOpen() && channel.config().isAutoRead()) {
            ByteBuf room = connection.reader().room(PooledByteBufAllocator.DEFAULT);
            int length = Math.min(room.writableBytes(), bytes.remaining());
            room.writeBytes(bytes.slice(bytes.position(), length));
            bytes.position(bytes.position() + length);
            channel.pipeline().fireChannelRead(room);
            channel.pipeline().fireChannelReadComplete();
            channel.runPendingTasks();
        }
        channel.runPendingTasks();
        return before - bytes.remaining();
    }

    public void send(ApiKeys api, int version, int correlationId, ApiMessage body) {
        receive(Frames.of(api, (short) version, correlationId, body));
    }

    /** Correlation ids of the answers that were flushed since the last look, with the answers. */
    public List<ByteBuffer> answers() {
        channel.runPendingTasks();
        List<ByteBuf> parts = new ArrayList<>();
        ByteBuf part = channel.readOutbound();
        int more = 0;
        while (part != null) {
            parts.add(part);
            more += part.readableBytes();
            part = channel.readOutbound();
        }
        ByteBuffer all = ByteBuffer.allocate(received.remaining() + more).put(received);
        for (ByteBuf bytes : parts) {
            int length = bytes.readableBytes();
            bytes.readBytes(all.slice(all.position(), length));
            all.position(all.position() + length);
            boolean unused = bytes.release();
        }
        all.flip();
        List<ByteBuffer> answers = new ArrayList<>();
        while (all.remaining() >= 4 && all.remaining() >= 4 + all.getInt(all.position())) {
            int length = all.getInt();
            answers.add(all.slice(all.position(), length));
            all.position(all.position() + length);
        }
        received = all.slice();
        return answers;
    }

    /** The one answer there is, read. */
    public <A extends ApiMessage> A answer(ApiKeys api, int version, int correlationId, A empty) {
        List<ByteBuffer> answers = answers();
        if (answers.size() != 1) {
            throw new AssertionError("expected one answer, got " + answers.size());
        }
        return Frames.answer(api, (short) version, correlationId, answers.get(0), empty);
    }

    /** Correlation ids of the answers flushed since the last look. */
    public List<Integer> answeredIds() {
        return answers().stream().map(answer -> answer.getInt(0)).toList();
    }

    public boolean isOpen() {
        channel.runPendingTasks();
        return channel.isOpen();
    }

    public boolean isReading() {
        channel.runPendingTasks();
        return channel.config().isAutoRead();
    }

    /** The client says that it will send no more. */
    public void endInput() {
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        channel.runPendingTasks();
    }

    public void disconnect() {
        var unused = channel.close();
        channel.runPendingTasks();
    }

    public void run() {
        channel.runPendingTasks();
    }

    public EmbeddedChannel channel() {
        return channel;
    }
}
