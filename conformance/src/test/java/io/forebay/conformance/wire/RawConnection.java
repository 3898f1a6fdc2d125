package io.forebay.conformance.wire;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * A socket to the broker that sends whatever it is told to, and frames of the Kafka protocol where that is wanted. Reads
 * give up after 20 s. Used by one thread.
 */
final class RawConnection implements AutoCloseable {

    private static final Duration READ_LIMIT = Duration.ofSeconds(20);
    static final String CLIENT_ID = "raw";

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private int correlationId;

    RawConnection(String bootstrap) throws IOException {
        String[] hostAndPort = bootstrap.split(":", 2);
        this.socket = new Socket(InetAddress.getByName(hostAndPort[0]), Integer.parseInt(hostAndPort[1]));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) READ_LIMIT.toMillis());
        this.in = new DataInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** Sends bytes as they are. */
    void sendBytes(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends a frame: its length, then {@code body}. */
    void sendFrame(byte[] body) throws IOException {
        sendBytes(ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array());
    }

    /** Announces a frame of {@code length} bytes without sending any of them. */
    void announceFrame(int length) throws IOException {
        sendBytes(ByteBuffer.allocate(4).putInt(length).array());
    }

    /** Sends a request; returns the header that its response is read with. */
    RequestHeader send(AbstractRequest request) throws IOException {
        RequestHeader header = nextHeader(request.apiKey(), request.version());
        sendFrame(bytes(request.serializeWithHeader(header)));
        return header;
    }

    /** The header of the next request, for requests made by hand. */
    RequestHeader nextHeader(ApiKeys api, short version) {
        correlationId++;
        return new RequestHeader(api, version, CLIENT_ID, correlationId);
    }

    /** Reads the response to the request that had {@code header}. */
    AbstractResponse receive(RequestHeader header) throws IOException {
        return AbstractResponse.parseResponse(ByteBuffer.wrap(readFrame()), header);
    }

    /** Sends a request and reads its response. */
    AbstractResponse ask(AbstractRequest request) throws IOException {
        return receive(send(request));
    }

    /** Reads one frame's body. */
    byte[] readFrame() throws IOException {
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return body;
    }

    /** Says that nothing more will be sent; the other direction stays open. */
    void closeOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Waits for the broker to close the connection; false if it sends something or keeps it open. */
    boolean closedByBroker() throws IOException {
        InputStream rest = socket.getInputStream();
        try {
            return rest.read() < 0;
        } catch (EOFException | SocketException e) {
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
