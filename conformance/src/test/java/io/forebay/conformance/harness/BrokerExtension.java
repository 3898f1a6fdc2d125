package io.forebay.conformance.harness;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * One broker for all tests of a class: a Forebay process on a fresh folder, or the foreign broker named by
 * {@code -Dconformance.bootstrap}. A failed test shows the end of the server's log. Register it as a static field.
 */
public final class BrokerExtension implements BeforeAllCallback, AfterAllCallback, TestExecutionExceptionHandler {

    private static final AtomicLong TOPICS = new AtomicLong();
    private static final String RUN = Long.toString(ProcessHandle.current().pid(), 36)
            + Long.toString(
                    ProcessHandle.current()
                                    .info()
                                    .startInstant()
                                    .map(t -> t.toEpochMilli())
                                    .orElse(0L)
                            % 100_000,
                    36);

    private final Map<String, String> settings = new LinkedHashMap<>();
    private Optional<ForebayProcess> process = Optional.empty();
    private Optional<Admin> admin = Optional.empty();

    /** Adds a setting of the server, as with {@code --set}. A foreign broker ignores it. */
    public BrokerExtension set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (Settings.foreignBootstrap().isEmpty()) {
            String name = context.getRequiredTestClass().getSimpleName();
            ForebayProcess started = new ForebayProcess(name, freshFolder(name), settings);
            process = Optional.of(started);
            started.start();
        }
        admin = Optional.of(Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap())));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        admin.ifPresent(Admin::close);
        process.ifPresent(ForebayProcess::close);
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        process.ifPresent(server -> failure.addSuppressed(new ServerLog(server.logTail())));
        throw failure;
    }

    /** An empty folder below the target folder that no earlier run's files are left in. */
    public static Path freshFolder(String name) {
        Path folder = Settings.target().resolve("stores").resolve(name);
        try {
            if (Files.exists(folder)) {
                try (Stream<Path> tree = Files.walk(folder)) {
                    for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(path);
                    }
                }
            }
            return Files.createDirectories(folder.getParent()).resolve(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** HOST:PORT of the broker. */
    public String bootstrap() {
        return process.map(ForebayProcess::bootstrap).orElse(Settings.foreignBootstrap());
    }

    /** The server process; skips the calling test if the broker is a foreign one. */
    public ForebayProcess server() {
        assumeTrue(process.isPresent(), "needs to own the server process");
        return process.orElseThrow();
    }

    /** Whether the broker is Forebay. */
    public boolean isForebay() {
        return process.isPresent();
    }

    /** An admin client of the newest version. */
    public Admin admin() {
        return admin.orElseThrow();
    }

    /** A topic name that no other test and no other run uses. */
    public String topicName(String stem) {
        return stem + "-" + RUN + "-" + TOPICS.incrementAndGet();
    }

    /** Creates a topic with a name of its own. */
    public String createTopic(String stem, int partitions, Map<String, String> configs) {
        String name = topicName(stem);
        NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
        try {
            admin().createTopics(List.of(topic)).all().get();
            return name;
        } catch (ExecutionException e) {
            throw new AssertionError("cannot create topic " + name, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Carries the end of the server's log into the report of a failed test. */
    private static final class ServerLog extends Exception {
        private static final long serialVersionUID = 1L;

        ServerLog(String tail) {
            super(tail, null, false, false);
        }
    }
}
