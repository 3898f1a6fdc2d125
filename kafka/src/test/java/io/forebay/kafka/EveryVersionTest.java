package io.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.ApiTable;
import io.forebay.kafka.fake.FakeBroker;
import io.forebay.kafka.fake.Frames;
import io.forebay.kafka.fake.HandClock;
import io.forebay.kafka.net.EmbeddedClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every API in every version that is advertised: a request is read, served, and answered in what a client of that version can read. */
class EveryVersionTest {

    static final KafkaConfig CONFIG =
            new KafkaConfig("127.0.0.1", 0, 1 << 20, 1 << 20, 10, 60_000, 1 << 20, 1 << 20, 10, true);

    static ApiTable apis(FakeBroker broker) {
        return KafkaServer.apis(CONFIG, broker, new HandClock(), new Random(3));
    }

    static Stream<Arguments> versions() {
        List<Arguments> versions = new ArrayList<>();
        for (ApiHandler<?> handler : apis(new FakeBroker()).handlers()) {
            for (short version = handler.lowestVersion(); version <= handler.highestVersion(); version++) {
                versions.add(Arguments.of(handler.api(), version));
            }
        }
        return versions.stream();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void answersAnEmptyRequest(ApiKeys api, short version) {
        EmbeddedClient client = EmbeddedClient.of(apis(new FakeBroker()));

        client.send(api, version, 17, empty(api));

        ApiMessage answer = client.answer(api, version, 17, api.messageType.newResponse());
        assertThat(answer).isNotNull();
        assertThat(client.isOpen()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void answersARequestAboutThingsThatExistAndThatDoNot(ApiKeys api, short version) {
        FakeBroker broker = new FakeBroker();
        RequestSamples samples = new RequestSamples(broker.create("known", 3), "known");
        broker.create("__consumer_offsets", 1);
        EmbeddedClient client = EmbeddedClient.of(apis(broker));

        client.send(api, version, 18, samples.of(api, version));

        ApiMessage answer = client.answer(api, version, 18, api.messageType.newResponse());
        samples.check(api, version, answer);
        assertThat(client.isOpen()).isTrue();
        assertThat(broker.pagesInUse()).isZero();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void closesOnABodyThatCannotBeRead(ApiKeys api, short version) {
        java.nio.ByteBuffer frame = Frames.of(api, version, 19, empty(api));
        if (frame.getInt(0) <= headerBytes(api, version)) {
            return; // a request without fields cannot be cut short
        }
        frame.putInt(0, frame.getInt(0) - 1);
        EmbeddedClient client = EmbeddedClient.of(apis(new FakeBroker()));

        client.receive(frame.limit(frame.limit() - 1));

        assertThat(client.isOpen()).isFalse();
        assertThat(client.answers()).isEmpty();
    }

    private static int headerBytes(ApiKeys api, short version) {
        return 2 + 2 + 4 + 2 + "tester".length() + (api.requestHeaderVersion(version) >= 2 ? 1 : 0);
    }

    private static ApiMessage empty(ApiKeys api) {
        ApiMessage request = api.messageType.newRequest();
        if (request instanceof ApiVersionsRequestData versions) {
            versions.setClientSoftwareName("test").setClientSoftwareVersion("1.0");
        }
        if (request instanceof ProduceRequestData produce) {
            produce.setAcks((short) 1).setTransactionalId(null);
        }
        return request;
    }
}
