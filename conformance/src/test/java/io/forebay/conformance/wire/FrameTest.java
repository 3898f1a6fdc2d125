package io.forebay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that no client library sends: closed where Kafka closes, answered where Kafka answers, nobody else disturbed. */
class FrameTest {

    private static final int LARGEST_REQUEST_BYTES = 100 << 20;
    private static final int MANY = 50;

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    /** Whatever a test did: the next connection is served. */
    @AfterEach
    void othersAreServed() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            assertThat(apiVersions(connection).data().errorCode()).isEqualTo(Errors.NONE.code());
        }
    }

    private static ApiVersionsResponse apiVersions(RawConnection connection) throws IOException {
        return (ApiVersionsResponse) connection.ask(apiVersionsRequest());
    }

    private static AbstractRequest apiVersionsRequest() {
        return new ApiVersionsRequest(
                new ApiVersionsRequestData().setClientSoftwareName("raw").setClientSoftwareVersion("1"), (short) 3);
    }

    private static MetadataRequest metadataRequest() {
        return new MetadataRequest(new MetadataRequestData().setTopics(List.of()), (short) 9);
    }

    @Test
    void closesOnSomethingThatIsNotKafka() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.sendBytes("GET / HTTP/1.1\r\nHost: forebay\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGEST_REQUEST_BYTES + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE, 0})
    void closesOnAFrameOfImpossibleLength(int length) throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.announceFrame(length);

            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void closesOnAFrameOfGarbage(long seed) throws IOException {
        byte[] garbage = new byte[4096];
        new Random(seed).nextBytes(garbage);
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.sendFrame(garbage);

            assertThat(connection.closedByBroker()).as("seed %d", seed).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(shorts = {0, 1, 3, 19, 36})
    void closesOnGarbageBehindAValidHeader(short api) throws IOException {
        byte[] garbage = new byte[64];
        new Random(api).nextBytes(garbage);
        ApiKeys key = ApiKeys.forId(api);
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            RequestHeader header = connection.nextHeader(key, key.oldestVersion());
            byte[] headerBytes = headerBytes(header);
            connection.sendFrame(ByteBuffer.allocate(headerBytes.length + garbage.length)
                    .put(headerBytes)
                    .put(garbage)
                    .array());

            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    private static byte[] headerBytes(RequestHeader header) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(header.data().size(cache, header.headerVersion()));
        header.data().write(new ByteBufferAccessor(buffer), cache, header.headerVersion());
        return buffer.array();
    }

    @Test
    void closesOnAnApiThatNobodyKnows() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.sendFrame(ByteBuffer.allocate(10)
                    .putShort((short) 999)
                    .putShort((short) 0)
                    .putInt(1)
                    .putShort((short) -1)
                    .array());

            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    @Test
    void closesOnAVersionItDoesNotSpeak() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.sendFrame(ByteBuffer.allocate(14)
                    .putShort(ApiKeys.METADATA.id)
                    .putShort((short) 99)
                    .putInt(1)
                    .putShort((short) -1)
                    .putInt(0)
                    .array());

            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    @Test
    void answersAnUnknownVersionOfApiVersionsWithThoseItKnows() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.sendFrame(ByteBuffer.allocate(14)
                    .putShort(ApiKeys.API_VERSIONS.id)
                    .putShort((short) 99)
                    .putInt(7)
                    .putShort((short) -1)
                    .putInt(0)
                    .array());

            ByteBuffer body = ByteBuffer.wrap(connection.readFrame());
            assertThat(body.getInt()).isEqualTo(7);
            ApiVersionsResponse response = ApiVersionsResponse.parse(new ByteBufferAccessor(body), (short) 0);
            assertThat(response.data().errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
            assertThat(response.data().apiKeys())
                    .anyMatch(range -> range.apiKey() == ApiKeys.API_VERSIONS.id && range.maxVersion() >= 3);

            assertThat(apiVersions(connection).data().errorCode())
                    .as("the connection goes on")
                    .isEqualTo(Errors.NONE.code());
        }
    }

    @Test
    void answersEvenIfTheClientWillSendNoMore() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            RequestHeader header = connection.send(metadataRequest());
            connection.closeOutput();

            assertThat(((MetadataResponse) connection.receive(header)).brokers())
                    .hasSize(1);
            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    @Test
    void closesWhenTheClientStopsInsideAFrame() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.announceFrame(100);
            connection.sendBytes(new byte[50]);
            connection.closeOutput();

            assertThat(connection.closedByBroker()).isTrue();
        }
    }

    @Test
    void takesAFrameByteByByte() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            AbstractRequest request = apiVersionsRequest();
            RequestHeader header = connection.nextHeader(request.apiKey(), request.version());
            byte[] body = RawConnection.bytes(request.serializeWithHeader(header));
            for (byte b : ByteBuffer.allocate(4 + body.length)
                    .putInt(body.length)
                    .put(body)
                    .array()) {
                connection.sendBytes(new byte[] {b});
            }

            assertThat(connection.receive(header)).isInstanceOf(ApiVersionsResponse.class);
        }
    }

    @Test
    void answersPipelinedRequestsInTheirOrder() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            List<RequestHeader> headers = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                headers.add(connection.send(i % 2 == 0 ? metadataRequest() : apiVersionsRequest()));
            }

            for (RequestHeader header : headers) {
                assertThat(connection.receive(header).apiKey()).isEqualTo(header.apiKey());
            }
        }
    }

    /** The server of these tests has 512 MiB of heap; Kafka takes memory for what is only announced. */
    @Test
    void announcedFramesCostNoMemory() throws IOException {
        assertThat(BROKER.server().running()).isTrue();
        List<RawConnection> idle = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            RawConnection connection = new RawConnection(BROKER.bootstrap());
            idle.add(connection);
            connection.announceFrame(LARGEST_REQUEST_BYTES);
            connection.sendBytes(new byte[100]);
        }

        othersAreServed();
        assertThat(BROKER.server().running()).isTrue();
        for (RawConnection connection : idle) {
            connection.close();
        }
    }

    @Test
    void theLogTellsWhyButNotWhat() throws IOException {
        String secret = "this-is-payload";
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.sendFrame(
                    ("\u0000\u0012\u0000\u0003\u0000\u0000\u0000\u0001\u0000\u0003raw\u0000\u007f" + secret)
                            .getBytes(StandardCharsets.ISO_8859_1));

            assertThat(connection.closedByBroker()).isTrue();
        }
        assertThat(BROKER.server().log()).doesNotContain(secret).contains("127.0.0.1");
    }
}
