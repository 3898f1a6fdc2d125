package io.forebay.kafka.api;

import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.jspecify.annotations.Nullable;

/** Makes the answer to a request that failed as a whole: every part of it carries the error. */
public final class FailedAnswer {

    private FailedAnswer() {}

    /** The answer; null if the request has none, so that only closing the connection tells the client. */
    public static @Nullable ApiMessage of(ApiKeys api, short version, ApiMessage request, Errors error) {
        // The protocol library knows for each API how such an answer looks; it wants the request in its own wrapping.
        ByteBuffer bytes = MessageUtil.toByteBufferAccessor(request, version).buffer();
        AbstractRequest wrapped = AbstractRequest.parseRequest(api, version, new ByteBufferAccessor(bytes)).request;
        AbstractResponse response = wrapped.getErrorResponse(0, error.exception());
        return response == null ? null : response.data();
    }
}
