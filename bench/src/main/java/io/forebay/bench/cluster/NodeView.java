package io.forebay.bench.cluster;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** What one node, and no other, answers about topics. Used by one thread. */
final class NodeView implements AutoCloseable {
    private static final short VERSION = 9;
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private int correlationId;

    NodeView(String address) {
        String[] hostAndPort = address.split(":", 2);
        try {
            this.socket = new Socket(InetAddress.getByName(hostAndPort[0]), Integer.parseInt(hostAndPort[1]));
            socket.setTcpNoDelay(true);
            this.in = new DataInputStream(socket.getInputStream());
            this.out = new DataOutputStream(socket.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks until the node knows a topic; returns when that was, by the monotonic clock. */
    long awaitTopic(String topic) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!knows(topic)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("a node does not hear of topic " + topic);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return System.nanoTime();
    }

    private boolean knows(String topic) {
        MetadataRequest request = new MetadataRequest.Builder(List.of(topic), false).build(VERSION);
        RequestHeader header = new RequestHeader(ApiKeys.METADATA, VERSION, "bench", ++correlationId);
        try {
            ByteBuffer bytes = request.serializeWithHeader(header);
            byte[] body = new byte[bytes.remaining()];
            bytes.get(body);
            out.write(ByteBuffer.allocate(4 + body.length)
                    .putInt(body.length)
                    .put(body)
                    .array());
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            MetadataResponse response =
                    (MetadataResponse) AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header);
            return response.topicMetadata().stream().allMatch(each -> each.error() == Errors.NONE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
