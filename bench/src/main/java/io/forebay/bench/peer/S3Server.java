package io.forebay.bench.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** S3Proxy over a folder: a process that keeps its port and its folder over its lives. Used by one thread at a time. */
public final class S3Server implements AutoCloseable {

    /** Its only bucket. */
    public static final String BUCKET = "forebay";

    private final PeerHome home;
    private final int port = FreePorts.next();
    private final PeerProcess process;

    /**
     * Stopped.
     *
     * @param name names its log
     * @param heapMiB largest heap
     */
    public S3Server(PeerHome home, String name, int heapMiB) {
        this.home = home;
        this.process = home.process(
                name + "-s3proxy",
                heapMiB,
                List.of(),
                List.of("org.gaul.s3proxy.Main", "--properties", properties().toString()));
    }

    private Path properties() {
        return home.folder().resolve("s3proxy.properties");
    }

    /** Where it listens; it takes requests with and without a signature. */
    public int port() {
        return port;
    }

    /** Its process. */
    public PeerProcess process() {
        return process;
    }

    /** Environment variables for clients. */
    public Map<String, String> environment() {
        return Map.of("AWS_ACCESS_KEY_ID", "tests", "AWS_SECRET_ACCESS_KEY", "tests-secret");
    }

    /** Starts it on its folder; returns when it listens. */
    public void start() {
        Path objects = home.folder().resolve("objects");
        try {
            Files.createDirectories(objects.resolve(BUCKET));
            Files.writeString(
                    properties(),
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
        process.begin();
        process.await(() -> PeerProcess.listens(port));
    }

    @Override
    public void close() {
        process.close();
    }
}
