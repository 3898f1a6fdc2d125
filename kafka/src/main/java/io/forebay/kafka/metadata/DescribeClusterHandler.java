package io.forebay.kafka.metadata;

import io.forebay.broker.Broker;
import io.forebay.cluster.image.ClusterImage;
import io.forebay.cluster.image.NodeImage;
import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.AuthorizedOperations;
import io.forebay.kafka.api.Exchange;
import io.forebay.kafka.api.Leaders;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;

/** Tells administrators about the nodes. */
public final class DescribeClusterHandler implements ApiHandler<DescribeClusterRequestData> {

    private static final byte BROKERS = 1;
    private static final byte CONTROLLERS = 2;

    private final Broker broker;

    public DescribeClusterHandler(Broker broker) {
        this.broker = broker;
    }

    @Override
    public ApiKeys api() {
        return ApiKeys.DESCRIBE_CLUSTER;
    }

    @Override
    public DescribeClusterRequestData read(Readable body, short version) {
        return new DescribeClusterRequestData(body, version);
    }

    @Override
    public void handle(DescribeClusterRequestData request, Exchange exchange) {
        if (request.endpointType() == CONTROLLERS) {
            refuse(exchange, Errors.MISMATCHED_ENDPOINT_TYPE, "this is an endpoint of brokers, not of controllers");
            return;
        }
        if (request.endpointType() != BROKERS) {
            refuse(exchange, Errors.UNSUPPORTED_ENDPOINT_TYPE, "unknown endpoint type " + request.endpointType());
            return;
        }
        ClusterImage image = broker.image();
        DescribeClusterResponseData response = new DescribeClusterResponseData()
                .setClusterId(image.clusterId())
                .setControllerId(Leaders.controller(image));
        if (request.includeClusterAuthorizedOperations()) {
            response.setClusterAuthorizedOperations(AuthorizedOperations.CLUSTER);
        }
        for (NodeImage node : image.brokers()) {
            response.brokers()
                    .add(new DescribeClusterBroker()
                            .setBrokerId(node.nodeId())
                            .setHost(node.host())
                            .setPort(node.port())
                            .setRack(node.rack().isEmpty() ? null : node.rack()));
        }
        exchange.answer(response);
    }

    private static void refuse(Exchange exchange, Errors error, String message) {
        exchange.answer(
                new DescribeClusterResponseData().setErrorCode(error.code()).setErrorMessage(message));
    }
}
