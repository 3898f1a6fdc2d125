package io.forebay.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.ObjectKey;
import io.forebay.store.ObjectUpload;
import io.forebay.store.PutOutcome;
import io.forebay.store.Store;
import io.forebay.store.StoreProbe;
import io.forebay.store.StoreProvider;
import io.forebay.testkit.StoreContractTest;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init") // set before all tests
class S3StoreContractTest extends StoreContractTest {

    private static final AtomicInteger OPENED = new AtomicInteger();
    private static MemoryS3 server;
    private static TestPorts test;

    @BeforeAll
    static void startServer() throws Exception {
        server = new MemoryS3();
        test = new TestPorts(1);
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.stop();
        test.close();
    }

    @Override
    protected Store openEmpty() {
        StoreProvider provider = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(p -> p.scheme().equals("s3"))
                .findAny()
                .orElseThrow();
        return provider.open(server.uri("contract/" + OPENED.incrementAndGet()), Map.of(), test.ports);
    }

    @Test
    void probeFindsNothingWrong() throws Exception {
        StoreProbe.Timings timings = StoreProbe.run(store(), new SplittableRandom(1), test.ports.clock());

        assertThat(timings.append()).isEqualTo(-1);
        assertThat(list("", "", 10)).isEmpty();
    }

    @Test
    void bigUploadLosesAgainstAnObjectThatCameWhileItWasMade() throws Exception {
        ObjectUpload upload = await(store().beginUpload(ObjectKey.of("up/big")));
        await(upload.write(ByteBuffer.wrap(random(bigObjectBytes(), 1))));
        make("up/big", bytes("first"));

        assertThat(await(upload.commit())).isEqualTo(PutOutcome.ALREADY_EXISTS);

        assertThat(readAll("up/big")).isEqualTo(bytes("first"));
    }

    @Test
    void abortedBigUploadLeavesNoPartsBehind() throws Exception {
        ObjectUpload upload = await(store().beginUpload(ObjectKey.of("up/big")));
        await(upload.write(ByteBuffer.wrap(random(bigObjectBytes(), 1))));

        upload.abort();

        assertThat(list("", "", 10)).isEmpty();
        assertThat(put("up/big", bytes("other"))).isEqualTo(PutOutcome.WRITTEN);
    }

    @Test
    void listingTakesAsManyPagesAsItNeeds() throws Exception {
        for (int i = 0; i < 1_050; i++) {
            make("many/" + ObjectKey.padded(i), bytes("x"));
        }

        assertThat(list("many/", "", 2_000)).hasSize(1_050);
        assertThat(list("many/", "", 1_020)).hasSize(1_020);
    }

    @Test
    void objectsOfOthersInTheBucketAreNotSeen() throws Exception {
        make("k", bytes("x"));
        try (Store other = openEmpty()) {
            assertThat(await(other.list("", "", 10))).isEmpty();
            assertThat(await(other.putIfAbsent(ObjectKey.of("k"), ByteBuffer.wrap(bytes("y")))))
                    .isEqualTo(PutOutcome.WRITTEN);
        }

        assertThat(readAll("k")).isEqualTo(bytes("x"));
    }
}
