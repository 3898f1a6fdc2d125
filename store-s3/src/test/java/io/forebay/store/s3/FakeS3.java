package io.forebay.store.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The small part of S3 that a store needs, on a free port of the loopback, with odd answers on demand: before or after a request took
 * effect, a status, a connection that breaks, or no answer at all.
 */
final class FakeS3 implements AutoCloseable {

    /** What happens to one request. */
    record Oddity(String method, boolean afterEffect, int status, String code) {

        /** The request is refused, or its answer is replaced by this one after it took effect. */
        static Oddity answer(String method, boolean afterEffect, int status, String code) {
            return new Oddity(method, afterEffect, status, code);
        }

        /** The connection breaks. */
        static Oddity reset(String method, boolean afterEffect) {
            return new Oddity(method, afterEffect, RESET, "");
        }

        /** No answer comes. */
        static Oddity silence(String method, boolean afterEffect) {
            return new Oddity(method, afterEffect, SILENCE, "");
        }
    }

    private static final int RESET = -1;
    private static final int SILENCE = -2;

    private static final class Stored {
        private final byte[] content;
        private final String token;

        Stored(byte[] content, String token) {
            this.content = content;
            this.token = token;
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<String, Stored> objects = new ConcurrentSkipListMap<>();
    private final Queue<Oddity> oddities = new ConcurrentLinkedQueue<>();
    private final List<String> seen = new ArrayList<>();
    volatile boolean heedsIfNoneMatch = true;
    volatile boolean keepsMetadata = true;

    FakeS3() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    URI uri() {
        return URI.create(
                "s3://bucket/p?endpoint=http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** The next requests of these methods are treated like this, in order. */
    void next(Oddity... odd) {
        oddities.addAll(List.of(odd));
    }

    /** Lays an object there, as somebody else would. */
    void lay(String key, byte[] content, String token) {
        objects.put("p/" + key, new Stored(content, token));
    }

    /** The methods of all requests so far. */
    List<String> seen() {
        synchronized (seen) {
            return List.copyOf(seen);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String method = exchange.getRequestMethod();
        synchronized (seen) {
            seen.add(method);
        }
        Oddity odd = oddities.peek();
        if (odd == null || !odd.method().equals(method) || !oddities.remove(odd)) {
            serve(exchange, body, true);
            return;
        }
        if (odd.afterEffect()) {
            serve(exchange, body, false);
        }
        switch (odd.status()) {
            case RESET -> exchange.close();
            case SILENCE -> {
                await();
                exchange.close();
            }
            default -> error(exchange, odd.status(), odd.code());
        }
    }

    private void await() {
        try {
            var unused = closing.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(HttpExchange exchange, byte[] body, boolean answer) throws IOException {
        String path = exchange.getRequestURI().getPath().substring("/bucket".length());
        String key = path.isEmpty() || path.equals("/") ? "" : path.substring(1);
        Reply reply = switch (exchange.getRequestMethod()) {
            case "PUT" -> put(exchange, key, body);
            case "GET" -> key.isEmpty() ? list(exchange) : get(exchange, key);
            case "HEAD" -> get(exchange, key);
            case "DELETE" -> {
                objects.remove(key);
                yield new Reply(204, new byte[0], "");
            }
            default -> new Reply(501, "<Error><Code>NotImplemented</Code></Error>", "");
        };
        if (!answer) {
            return;
        }
        exchange.getResponseHeaders().set("ETag", "\"e\"");
        if (!reply.token.isEmpty()) {
            exchange.getResponseHeaders().set("x-amz-meta-forebay-put", reply.token);
        }
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(reply.body.length));
        }
        exchange.sendResponseHeaders(reply.status, head || reply.body.length == 0 ? -1 : reply.body.length);
        if (!head) {
            exchange.getResponseBody().write(reply.body);
        }
        exchange.close();
    }

    private static final class Reply {
        private final int status;
        private final byte[] body;
        private final String token;

        Reply(int status, byte[] body, String token) {
            this.status = status;
            this.body = body;
            this.token = token;
        }

        Reply(int status, String body, String token) {
            this(status, body.getBytes(StandardCharsets.UTF_8), token);
        }
    }

    private Reply put(HttpExchange exchange, String key, byte[] body) {
        String token = exchange.getRequestHeaders().getFirst("x-amz-meta-forebay-put");
        Stored stored = new Stored(body, keepsMetadata && token != null ? token : "");
        boolean conditional = "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
        if (conditional && heedsIfNoneMatch) {
            return objects.putIfAbsent(key, stored) == null
                    ? new Reply(200, "", "")
                    : new Reply(412, "<Error><Code>PreconditionFailed</Code></Error>", "");
        }
        objects.put(key, stored);
        return new Reply(200, "", "");
    }

    private Reply get(HttpExchange exchange, String key) {
        Stored stored = objects.get(key);
        if (stored == null) {
            return new Reply(404, "<Error><Code>NoSuchKey</Code></Error>", "");
        }
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null) {
            return new Reply(200, stored.content, stored.token);
        }
        String[] ends = range.substring("bytes=".length()).split("-", -1);
        int from = Integer.parseInt(ends[0]);
        int to = Math.min(stored.content.length, Integer.parseInt(ends[1]) + 1);
        if (from >= stored.content.length) {
            return new Reply(416, "<Error><Code>InvalidRange</Code></Error>", "");
        }
        exchange.getResponseHeaders()
                .set("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + stored.content.length);
        return new Reply(206, Arrays.copyOfRange(stored.content, from, to), stored.token);
    }

    private Reply list(HttpExchange exchange) {
        String prefix = "";
        for (String option : exchange.getRequestURI().getRawQuery().split("&", -1)) {
            if (option.startsWith("prefix=")) {
                prefix = URLDecoder.decode(option.substring("prefix=".length()), StandardCharsets.UTF_8);
            }
        }
        StringBuilder xml = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
        for (Map.Entry<String, Stored> each : objects.entrySet()) {
            if (each.getKey().startsWith(prefix)) {
                xml.append("<Contents><Key>" + each.getKey() + "</Key><Size>" + each.getValue().content.length
                        + "</Size></Contents>");
            }
        }
        return new Reply(200, xml.append("</ListBucketResult>").toString(), "");
    }

    private static void error(HttpExchange exchange, int status, String code) throws IOException {
        byte[] body =
                ("<Error><Code>" + code + "</Code><Message>said so</Message></Error>").getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdown();
    }
}
