package io.forebay.conformance.stores;

import io.forebay.bench.peer.FaultyRelay;
import io.forebay.bench.peer.FreePorts;
import io.forebay.bench.peer.PeerClassPath;
import io.forebay.bench.peer.PeerHome;
import io.forebay.bench.peer.PeerProcess;
import io.forebay.bench.peer.S3Server;
import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.Settings;
import java.util.List;
import java.util.Map;

/**
 * S3Proxy over a folder, and before it a {@link FaultyRelay} through which Forebay talks to it. Used by one thread at a time.
 */
public final class S3Process implements StoreUnderTest {

    private static final int HEAP_MIB = 256;

    private final String name;
    private final S3Server server;
    private final FaultyRelay relay;

    /** Stopped; {@code name} names its folder and its log. */
    public S3Process(String name) {
        this.name = name;
        this.server = new S3Server(
                new PeerHome(
                        BrokerExtension.freshFolder(name),
                        Settings.target().resolve("logs"),
                        PeerClassPath.of(Settings.s3ClassPath(), Settings.serverClassPath()),
                        PeerHome.SMALL),
                name,
                HEAP_MIB);
        this.relay = new FaultyRelay(FreePorts.next(), server.port());
    }

    @Override
    public String kind() {
        return "s3";
    }

    @Override
    public String uri() {
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
    public void start() {
        server.start();
        relay.start();
    }

    @Override
    public List<StoreFault> faults() {
        PeerProcess process = server.process();
        return List.of(
                new StoreFault("S3 server paused", 10_000, process::pause, process::resume),
                new StoreFault("S3 server killed", 5_000, process::kill, server::start),
                fault("503 for every request", 6_000, new FaultyRelay.Rules(1, 0, 0, 0)),
                fault("503 for every second request", 10_000, new FaultyRelay.Rules(0.5, 0, 0, 0)),
                fault("requests dropped", 8_000, new FaultyRelay.Rules(0, 0.3, 0, 0)),
                fault("answers dropped", 8_000, new FaultyRelay.Rules(0, 0, 0.3, 0)),
                fault("everything a little", 10_000, new FaultyRelay.Rules(0.1, 0.1, 0.2, 0)),
                fault("answers 300 ms late", 8_000, new FaultyRelay.Rules(0, 0, 0, 300)));
    }

    private StoreFault fault(String what, long longestMs, FaultyRelay.Rules rules) {
        return new StoreFault(
                "S3: " + what, longestMs, () -> relay.rule(rules), () -> relay.rule(FaultyRelay.Rules.NONE));
    }

    @Override
    public String logTail() {
        return server.process().logTail();
    }

    @Override
    public void close() {
        relay.close();
        server.close();
    }
}
