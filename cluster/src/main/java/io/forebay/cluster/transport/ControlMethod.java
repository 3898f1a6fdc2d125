package io.forebay.cluster.transport;

import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.forebay.formats.control.ControlReply;
import io.forebay.formats.control.ControlRequest;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The one method of a control port. Written by hand: code made for one unary method would be longer. */
final class ControlMethod {

    static final String SERVICE = "forebay.control.Control";

    /** Largest question and largest answer, in bytes: an image of some million partitions. */
    static final int MESSAGE_MAX_BYTES = 128 << 20;

    static final MethodDescriptor<ControlRequest, ControlReply> ASK =
            MethodDescriptor.<ControlRequest, ControlReply>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Ask"))
                    .setRequestMarshaller(new Message<>(ControlRequest.parser()))
                    .setResponseMarshaller(new Message<>(ControlReply.parser()))
                    .build();

    private ControlMethod() {}

    private record Message<T extends MessageLite>(Parser<T> parser) implements MethodDescriptor.Marshaller<T> {

        @Override
        public InputStream stream(T value) {
            return new Bytes(value.toByteArray());
        }

        @Override
        public T parse(InputStream stream) {
            try {
                return parser.parseFrom(stream, ExtensionRegistryLite.getEmptyRegistry());
            } catch (InvalidProtocolBufferException e) {
                throw Status.INTERNAL
                        .withDescription("not a message of the control protocol")
                        .withCause(e)
                        .asRuntimeException();
            }
        }
    }

    /** With its length known, a message is copied once. */
    private static final class Bytes extends ByteArrayInputStream implements KnownLength {

        Bytes(byte[] content) {
            super(content);
        }

        @Override
        public void close() throws IOException {}
    }
}
