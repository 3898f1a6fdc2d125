package io.forebay.bench.cluster;

import io.forebay.bench.peer.OpenedStore;
import io.forebay.store.AppendOutcome;
import io.forebay.store.Appender;
import io.forebay.store.CreateOutcome;
import io.forebay.store.ObjectKey;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** A process that, told by a byte on its input, appends to one object of a store and prints each end that it was told is durable, until it is killed. */
public final class FileWriterMain {
    private static final int APPEND_BYTES = 4 << 10;

    private FileWriterMain() {}

    /** Arguments: URI of the store, key of the object, key of its successor. */
    public static void main(String[] args) throws IOException {
        try (OpenedStore opened = new OpenedStore(URI.create(args[0]), Map.of(), Map.of())) {
            if (System.in.read() < 0) {
                return;
            }
            CreateOutcome created = opened.store()
                    .createAppender(ObjectKey.of(args[1]), ObjectKey.of(args[2]))
                    .join();
            Appender appender = ((CreateOutcome.Created) created).appender();
            while (true) {
                AppendOutcome outcome = appender.append(List.of(ByteBuffer.allocate(APPEND_BYTES)))
                        .join();
                if (!(outcome instanceof AppendOutcome.Durable durable)) {
                    throw new IllegalStateException(outcome.toString());
                }
                System.out.println(durable.endPosition());
            }
        }
    }
}
