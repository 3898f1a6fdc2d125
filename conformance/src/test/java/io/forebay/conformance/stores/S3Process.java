package io.forebay.conformance.stores;

import io.forebay.conformance.harness.BrokerExtension;
import io.forebay.conformance.harness.FreePorts;
import io.forebay.conformance.harness.PeerProcess;
import io.forebay.conformance.harness.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * S3Proxy over a folder, a process that keeps its port and its folder over its lives, and before it a {@link FaultyRelay}
 * through which Forebay talks to it. Used by one thread at a time.
 */
public final class S3Process implements StoreUnderTest {

    private static final String BUCKET = "forebay";

    private final String name;
    private final Path folder;
    private final int port = FreePorts.next();
    private final PeerProcess server;
    private final FaultyRelay relay;

    /** Stopped; {@code name} names its folder and its log. */
    public S3Process(String name) {
        this.name = name;
        this.folder = BrokerExtension.freshFolder(name);
        this.server = new PeerProcess(
                name + "-s3proxy",
                List.of(
                        "-Xmx256m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        PeerClassPath.of(Settings.s3ClassPath())),
                List.of(
                        "org.gaul.s3proxy.Main",
                        "--properties",
                        folder.resolve("s3proxy.properties").toString()));
        this.relay = new FaultyRelay(FreePorts.next(), port);
    }

    @Override
    public String kind() {
        return "s3";
    }

    @Override
    public String uri() {
        return "s3://" + BUCKET + "/" + name + "?endpoint=http://127.0.0.1:" + relay.port();
    }

    @Override
    public Map<String, String> settings() {
        return Map.of();
    }

    @Override
    public Map<String, String> environment() {
        return Map.of("AWS_ACCESS_KEY_ID", "tests", "AWS_SECRET_ACCESS_KEY", "tests-secret");
    }

    @Override
    public void start() {
        Path objects = folder.resolve("objects");
        try {
            Files.createDirectories(objects.resolve(BUCKET));
            Files.writeString(
                    folder.resolve("s3proxy.properties"),
                    String.join(
                            "\n",
                            "s3proxy.endpoint=http://127.0.0.1:" + port,
                            "s3proxy.authorization=none",
                            "s3proxy.jetty.max-threads=64",
                            "jclouds.provider=filesystem-nio2",
                            "jclouds.filesystem.basedir=" + objects,
                            "jclouds.identity=tests",
                            "jclouds.credential=tests",
                            ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        startServer();
        relay.start();
    }

    private void startServer() {
        server.begin();
        server.await(() -> PeerProcess.listens(port));
    }

    @Override
    public List<StoreFault> faults() {
        return List.of(
                new StoreFault("S3 server paused", 10_000, server::pause, server::resume),
                new StoreFault("S3 server killed", 5_000, server::kill, this::startServer),
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
        return server.logTail();
    }

    @Override
    public void close() {
        relay.close();
        server.close();
    }
}
