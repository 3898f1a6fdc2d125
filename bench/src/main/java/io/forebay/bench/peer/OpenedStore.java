package io.forebay.bench.peer;

import io.forebay.model.Clock;
import io.forebay.model.Loop;
import io.forebay.store.Store;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProvider;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A store that nodes use, opened in this JVM beside them, to look at its objects or to use it without a node. */
public final class OpenedStore implements AutoCloseable {

    private final ExecutorService io = Executors.newFixedThreadPool(4);
    private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    private final Store store;

    /**
     * Opens it as a node would, under a name of its own.
     *
     * @param uri as {@code --store} takes it
     * @param given settings of nodes; those of other stores are passed over
     * @param environment variables that nodes need for it
     */
    public OpenedStore(URI uri, Map<String, String> given, Map<String, String> environment) {
        // What nodes find in their environment, this JVM is told by properties.
        Map.of(
                        "AWS_ACCESS_KEY_ID", "aws.accessKeyId",
                        "AWS_SECRET_ACCESS_KEY", "aws.secretAccessKey",
                        "HADOOP_USER_NAME", "HADOOP_USER_NAME")
                .forEach((variable, property) -> {
                    String value = environment.get(variable);
                    if (value != null) {
                        System.setProperty(property, value);
                    }
                });
        Map<String, String> settings = new HashMap<>(given);
        settings.put("store.local.lock.name", "looking-on");
        settings.put("store.local.reserve.bytes", "0");
        settings.keySet().removeIf(key -> !key.startsWith("store." + scheme(uri).replace("file", "local")));
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.scheme().equals(uri.getScheme()))
                .findAny()
                .orElseThrow();
        this.store = provider.open(
                uri, settings, new StorePorts(io, new Timers(timers), new SystemClock(), new SplittableRandom()));
    }

    private static String scheme(URI uri) {
        return String.valueOf(uri.getScheme());
    }

    /** The store; blocking on its futures is fine here. */
    public Store store() {
        return store;
    }

    @Override
    public void close() {
        store.close();
        io.shutdown();
        timers.shutdownNow();
    }

    private record Timers(ScheduledExecutorService executor) implements Loop {
        @Override
        public boolean inLoop() {
            return false;
        }

        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public Cancellable schedule(Runnable task, long delayMs) {
            Future<?> timer = executor.schedule(task, delayMs, TimeUnit.MILLISECONDS);
            return () -> timer.cancel(false);
        }
    }

    private static final class SystemClock implements Clock {
        @Override
        public long wallMs() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    }
}
