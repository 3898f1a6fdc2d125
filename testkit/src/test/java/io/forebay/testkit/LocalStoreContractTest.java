package io.forebay.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.model.Clock;
import io.forebay.store.Store;
import io.forebay.store.StorePorts;
import io.forebay.store.StoreProbe;
import io.forebay.store.StoreProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreContractTest extends StoreContractTest {

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final ExecutorService io = Executors.newFixedThreadPool(4);

    @Override
    protected Store openEmpty() {
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.scheme().equals("file"))
                .findAny()
                .orElseThrow();
        return provider.open(
                folder.toUri(),
                settings(),
                new StorePorts(io, new Simulation(1).loop("timers"), Clocks.SYSTEM, new SplittableRandom(1)));
    }

    Map<String, String> settings() {
        return Map.of("store.local.reserve.bytes", "65536");
    }

    @Test
    void probeFindsNothingWrongAndIsQuick() {
        List<StoreProbe.Timings> timings = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            timings.add(StoreProbe.run(store(), new SplittableRandom(i), Clocks.SYSTEM));
        }
        System.out.println(timings);

        assertThat(timings).anyMatch(t -> t.total() < 1_000_000);
        assertThat(folder.resolve("probe")).isEmptyDirectory();
    }

    @AfterEach
    void leavesNoTemporaryFile() throws Exception {
        io.shutdown();
        assertThat(io.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        try (Stream<Path> left = Files.list(folder.resolve(".forebay/nodes/node/tmp"))) {
            assertThat(left).isEmpty();
        }
    }

    private static final class Clocks {
        static final Clock SYSTEM = new Clock() {
            @Override
            public long wallMs() {
                return System.currentTimeMillis();
            }

            @Override
            public long nanos() {
                return System.nanoTime();
            }
        };
    }
}
