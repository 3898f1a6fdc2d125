package io.forebay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.conformance.harness.BrokerExtension;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What ApiVersions advertises is what is served, version by version, and nothing that is not built is advertised. */
class AdvertisedVersionsTest {

    /** What clients of today need. */
    private static final Set<ApiKeys> NEEDED = EnumSet.of(
            ApiKeys.PRODUCE,
            ApiKeys.FETCH,
            ApiKeys.LIST_OFFSETS,
            ApiKeys.METADATA,
            ApiKeys.OFFSET_COMMIT,
            ApiKeys.OFFSET_FETCH,
            ApiKeys.FIND_COORDINATOR,
            ApiKeys.JOIN_GROUP,
            ApiKeys.HEARTBEAT,
            ApiKeys.LEAVE_GROUP,
            ApiKeys.SYNC_GROUP,
            ApiKeys.DESCRIBE_GROUPS,
            ApiKeys.LIST_GROUPS,
            ApiKeys.API_VERSIONS,
            ApiKeys.CREATE_TOPICS,
            ApiKeys.DELETE_TOPICS,
            ApiKeys.DELETE_RECORDS,
            ApiKeys.INIT_PRODUCER_ID,
            ApiKeys.OFFSET_FOR_LEADER_EPOCH,
            ApiKeys.DESCRIBE_CONFIGS,
            ApiKeys.ALTER_CONFIGS,
            ApiKeys.DESCRIBE_LOG_DIRS,
            ApiKeys.CREATE_PARTITIONS,
            ApiKeys.DELETE_GROUPS,
            ApiKeys.INCREMENTAL_ALTER_CONFIGS,
            ApiKeys.OFFSET_DELETE,
            ApiKeys.DESCRIBE_CLUSTER,
            ApiKeys.CONSUMER_GROUP_HEARTBEAT,
            ApiKeys.CONSUMER_GROUP_DESCRIBE,
            ApiKeys.DESCRIBE_TOPIC_PARTITIONS,
            ApiKeys.LIST_CONFIG_RESOURCES,
            ApiKeys.ADD_PARTITIONS_TO_TXN,
            ApiKeys.ADD_OFFSETS_TO_TXN,
            ApiKeys.END_TXN,
            ApiKeys.TXN_OFFSET_COMMIT,
            ApiKeys.WRITE_TXN_MARKERS,
            ApiKeys.LIST_TRANSACTIONS,
            ApiKeys.DESCRIBE_TRANSACTIONS,
            ApiKeys.DESCRIBE_PRODUCERS);

    /** Share groups and security: advertised when they are there. */
    private static final Set<ApiKeys> NOT_BUILT = EnumSet.of(
            ApiKeys.SHARE_FETCH,
            ApiKeys.SHARE_GROUP_HEARTBEAT,
            ApiKeys.CREATE_ACLS,
            ApiKeys.DESCRIBE_ACLS,
            ApiKeys.SASL_HANDSHAKE);

    @RegisterExtension
    static final BrokerExtension BROKER = new BrokerExtension();

    private static List<ApiVersion> advertised() throws IOException {
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            ApiVersionsResponse response = (ApiVersionsResponse) connection.ask(new ApiVersionsRequest(
                    new ApiVersionsRequestData().setClientSoftwareName("raw").setClientSoftwareVersion("1"),
                    (short) 3));
            return List.copyOf(response.data().apiKeys());
        }
    }

    @Test
    void advertisesWhatClientsNeedAndNothingThatIsNotBuilt() throws IOException {
        Set<ApiKeys> apis = advertised().stream()
                .map(range -> ApiKeys.forId(range.apiKey()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(ApiKeys.class)));

        assertThat(apis).containsAll(NEEDED);
        if (BROKER.isForebay()) {
            assertThat(apis).doesNotContainAnyElementsOf(NOT_BUILT);
        }
    }

    @Test
    void answersEveryVersionItAdvertises() throws IOException {
        List<String> silent = new ArrayList<>();
        int asked = 0;
        for (ApiVersion range : advertised()) {
            ApiKeys api = ApiKeys.forId(range.apiKey());
            if (!NEEDED.contains(api)) {
                continue;
            }
            int newest = Math.min(range.maxVersion(), api.latestVersion());
            for (int version = Math.max(range.minVersion(), api.oldestVersion()); version <= newest; version++) {
                asked++;
                try {
                    ask(api, (short) version);
                } catch (IOException | RuntimeException e) {
                    silent.add(api + " version " + version + ": " + e);
                }
            }
        }

        assertThat(silent).isEmpty();
        assertThat(asked).isGreaterThan(150);
    }

    /** Sends the emptiest request there is, and reads the answer with the schema of that version to its last byte. */
    private static void ask(ApiKeys api, short version) throws IOException {
        ApiMessage request = api.messageType.newRequest();
        if (request instanceof ProduceRequestData produce) {
            // Without acks there is no answer.
            var unused = produce.setAcks((short) -1);
        }
        short headerVersion = api.requestHeaderVersion(version);
        ByteBuffer header = MessageUtil.toByteBufferAccessor(
                        new RequestHeaderData()
                                .setRequestApiKey(api.id)
                                .setRequestApiVersion(version)
                                .setCorrelationId(1)
                                .setClientId(RawConnection.CLIENT_ID),
                        headerVersion)
                .buffer();
        ByteBuffer body = MessageUtil.toByteBufferAccessor(request, version).buffer();
        try (RawConnection connection = new RawConnection(BROKER.bootstrap())) {
            connection.sendFrame(ByteBuffer.allocate(header.remaining() + body.remaining())
                    .put(header)
                    .put(body)
                    .array());
            ByteBuffer answer = ByteBuffer.wrap(connection.readFrame());
            ByteBufferAccessor readable = new ByteBufferAccessor(answer);
            ResponseHeaderData responseHeader = new ResponseHeaderData(readable, api.responseHeaderVersion(version));
            assertThat(responseHeader.correlationId()).isEqualTo(1);
            api.messageType.newResponse().read(readable, version);
            assertThat(answer.remaining())
                    .as("bytes behind the answer of %s version %s", api, version)
                    .isZero();
        }
    }
}
