package io.forebay.bench.cluster;

import io.forebay.bench.peer.FaultyRelay;
import io.forebay.bench.peer.FreePorts;
import io.forebay.bench.peer.PeerHome;
import io.forebay.bench.peer.S3Server;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** S3Proxy over a folder, behind a relay that spoils nothing and counts requests. */
final class S3Site implements StoreSite {
    private static final int HEAP_MIB = 512;
    private static final Pattern REQUEST = Pattern.compile("(GET|PUT|POST|DELETE|HEAD) /(\\S*) HTTP/1.1\r\n");

    private final S3Server server;
    private final FaultyRelay relay;
    private final Map<String, AtomicLong> requests = new ConcurrentHashMap<>();

    S3Site(PeerHome home) {
        this.server = new S3Server(home, "s3", HEAP_MIB);
        this.relay = new FaultyRelay(FreePorts.next(), server.port(), this::count);
    }

    private void count(String head) {
        Matcher request = REQUEST.matcher(head);
        // A body that comes after an interim answer looks like a request to the relay, but not here.
        if (request.lookingAt()) {
            requests.computeIfAbsent(kind(request.group(1), request.group(2)), kind -> new AtomicLong())
                    .incrementAndGet();
        }
    }

    private static String kind(String method, String path) {
        if (method.equals("GET") && path.contains("list-type=")) {
            return "list";
        }
        // BUCKET/STORE/journal/…: the root's own journal is not a shard's, and is the root's.
        String[] parts = path.split("/", 4);
        return method.toLowerCase(Locale.ROOT) + "." + (parts.length > 2 ? parts[2] : "bucket");
    }

    /** Requests so far by kind, such as {@code put.journal}, {@code get.shard} or {@code list}. */
    Map<String, Long> requests() {
        Map<String, Long> now = new TreeMap<>();
        requests.forEach((kind, number) -> now.put(kind, number.get()));
        return now;
    }

    /** Where S3Proxy itself listens. */
    int serverPort() {
        return server.port();
    }

    @Override
    public String kind() {
        return "s3";
    }

    @Override
    public String uri(String name) {
        return "s3://" + S3Server.BUCKET + "/" + name + "?endpoint=http://127.0.0.1:" + relay.port();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of();
    }

    @Override
    public Map<String, String> environment() {
        return server.environment();
    }

    @Override
    public List<Long> pids() {
        return List.of(server.process().pid());
    }

    @Override
    public void start() {
        server.start();
        relay.start();
    }

    @Override
    public void close() {
        relay.close();
        server.close();
    }
}
