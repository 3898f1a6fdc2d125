package io.forebay.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Carries HTTP between clients and a server on loopback and spoils some of it. It does not read HTTP: that the direction of
 * the bytes changes tells where a request and where an answer begins, since nobody here sends a request before the answer to
 * the one before. Two threads for each connection. Thread-safe.
 */
public final class FaultyRelay implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 << 10;
    private static final int HEAD_BYTES = 1 << 10;
    private static final int DRAIN_MS = 1_000;
    private static final byte[] SLOW_DOWN = answer503();

    private final int port;
    private final int serverPort;
    private final Consumer<String> onRequest;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Rules rules = Rules.NONE;
    private volatile ServerSocket listening;

    /**
     * Shares of what is spoilt, from 0 to 1.
     *
     * @param refused requests that are answered with 503 and never reach the server
     * @param requestsDropped requests at whose begin the connection is closed
     * @param answersDropped requests that the server gets whole, while the client loses the connection instead of an answer
     * @param lateMs how much later each answer comes, in milliseconds
     */
    public record Rules(double refused, double requestsDropped, double answersDropped, long lateMs) {
        /** Nothing is spoilt. */
        public static final Rules NONE = new Rules(0, 0, 0, 0);
    }

    /** Stopped, spoiling nothing. */
    public FaultyRelay(int port, int serverPort) {
        this(port, serverPort, head -> {});
    }

    /**
     * Stopped, spoiling nothing.
     *
     * @param onRequest is told the first bytes of each request, at least its first line, on a thread of its connection
     */
    public FaultyRelay(int port, int serverPort, Consumer<String> onRequest) {
        this.port = port;
        this.onRequest = onRequest;
        this.serverPort = serverPort;
        try {
            this.listening = new ServerSocket();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port that clients are given. */
    public int port() {
        return port;
    }

    /** Begins to listen. */
    public void start() {
        try {
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run("relay-" + port, this::accept);
    }

    /** What is spoilt from now on. */
    public void rule(Rules now) {
        rules = now;
    }

    private static void run(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                run("relay-from-client", () -> connect(client));
            } catch (IOException closed) {
                // looked at above
            }
        }
    }

    private void connect(Socket client) {
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            open.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            AtomicBoolean answering = new AtomicBoolean(true);
            run("relay-from-server", () -> answers(server, client, answering));
            requests(client, server, answering);
            open.remove(server);
        } catch (IOException gone) {
            // both sides are closed below
        } finally {
            close(client);
        }
    }

    private void requests(Socket client, Socket server, AtomicBoolean answering) throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (answering.getAndSet(false)) {
                onRequest.accept(new String(buffer, 0, Math.min(read, HEAD_BYTES), StandardCharsets.US_ASCII));
                double chance = ThreadLocalRandom.current().nextDouble();
                Rules now = rules;
                if (chance < now.refused()) {
                    refuse(client);
                    return;
                }
                if (chance < now.refused() + now.requestsDropped()) {
                    return;
                }
            }
            out.write(buffer, 0, read);
        }
    }

    /** The answer would be lost if the socket were closed with bytes of the request in it. */
    private static void refuse(Socket client) throws IOException {
        client.getOutputStream().write(SLOW_DOWN);
        client.shutdownOutput();
        client.setSoTimeout(DRAIN_MS);
        long unused = client.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    private void answers(Socket server, Socket client, AtomicBoolean answering) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = server.getInputStream();
            OutputStream out = client.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!answering.getAndSet(true)) {
                    Rules now = rules;
                    if (ThreadLocalRandom.current().nextDouble() < now.answersDropped()) {
                        return;
                    }
                    if (now.lateMs() > 0) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(now.lateMs()));
                    }
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException gone) {
            // both sides are closed below
        } finally {
            close(client);
            close(server);
        }
    }

    private void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException closed) {
            // it was already
        }
    }

    private static byte[] answer503() {
        String body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>SlowDown</Code>"
                + "<Message>Please reduce your request rate.</Message></Error>";
        return ("HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: " + body.length()
                        + "\r\nConnection: close\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(this::close);
    }
}
