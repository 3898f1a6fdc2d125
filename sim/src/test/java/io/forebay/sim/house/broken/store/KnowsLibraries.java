package io.forebay.sim.house.broken.store;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import org.apache.kafka.common.record.internal.RecordBatch;
import picocli.CommandLine;

/** Breaks five rules: a store knows none of these libraries. */
interface KnowsLibraries {
    Message message();

    ByteBuf buffer();

    RecordBatch batch();

    Status status();

    CommandLine commandLine();
}
