package io.forebay.kafka.net;

import io.forebay.kafka.api.ApiHandler;
import io.forebay.kafka.api.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Readable;

/** A handler that keeps its exchanges until the test answers them. */
final class FakeApi implements ApiHandler<MetadataRequestData> {

    final List<Exchange> exchanges = new ArrayList<>();
    boolean failing;
    int gone;

    @Override
    public ApiKeys api() {
        return ApiKeys.METADATA;
    }

    @Override
    public MetadataRequestData read(Readable body, short version) {
        return new MetadataRequestData(body, version);
    }

    @Override
    public void handle(MetadataRequestData request, Exchange exchange) {
        if (failing) {
            throw new IllegalStateException("on purpose");
        }
        exchanges.add(exchange);
        exchange.whenClientGone(() -> gone++);
    }

    void answer(int number) {
        exchanges.get(number).answer(new MetadataResponseData());
    }

    void answer(int number, int bytes) {
        exchanges.get(number).answer(new MetadataResponseData().setClusterId("x".repeat(bytes)));
    }
}
